import { expect, test } from 'vitest'
import type { AttemptResult, NewDelivery } from '../../../src/domain/webhook/delivery.ts'
import { aResult, aSimulation } from '../factories.ts'
import { claim, endOf, finish, type Given, generationOf, refused, stored } from './given.ts'

const sent = { url: 'http://by-hand.test/', at: 700, wallAt: 800 }

const accepted = aResult()
const refusal = aResult({ outcome: 'refused', status: 500, responseBody: 'no', next: { status: 'dead' } })

/** The number and outcome of each attempt. */
const told = async ({ store }: Given, id: string) =>
  (await stored(store, id)).attempts.map(({ n, outcome }) => `${n} ${outcome}`)

export function byHandConforms(given: Given): void {
  const begin = async (delivery: NewDelivery, copies: number) =>
    given.store.addByHand(delivery, { ...sent, copies }, await generationOf(given.store))
  const begun = async (copies: number) => {
    const delivery = aSimulation()
    await begin(delivery, copies)
    return delivery.id
  }
  const finishByHand = async (...[id, attempt, result]: [string, number, AttemptResult]) =>
    given.store.finishByHand(await endOf(given.store, id, attempt, result))

  test('all copies are attempts that nothing is known of, and no queue takes them', async () => {
    const id = await begun(3)
    expect(await stored(given.store, id)).toMatchObject({
      status: 'dead',
      url: sent.url,
      attempts: [1, 2, 3].map((n) => ({ n, ...sent, outcome: 'unknown', status: null, requestHeaders: {} })),
    })
    expect(await claim(given.store)).toEqual([])
  })

  test('copies end in any order, each with its own result', async () => {
    const id = await begun(3)
    await finishByHand(id, 3, refusal)
    expect(await stored(given.store, id)).toMatchObject({ status: 'dead' })
    expect(await told(given, id)).toEqual(['1 unknown', '2 unknown', '3 refused'])
    await finishByHand(id, 1, accepted)
    await finishByHand(id, 2, refusal)
    const { next: _, ...first } = accepted
    const { next: __, ...others } = refusal
    expect(await stored(given.store, id)).toMatchObject({
      status: 'delivered',
      attempts: [
        { n: 1, ...sent, ...first },
        { n: 2, ...sent, ...others },
        { n: 3, ...sent, ...others },
      ],
    })
  })

  test('one that ends after it was sent again is written where it belongs, and settles nothing', async () => {
    const id = await begun(1)
    await given.store.resendDelivery(id, 1_000)
    await claim(given.store)
    await finishByHand(id, 1, accepted)
    expect(await stored(given.store, id)).toMatchObject({ status: 'pending' })
    expect(await told(given, id)).toEqual(['1 accepted', '2 unknown'])
    await finish(given.store, id, 2, refusal)
    expect(await stored(given.store, id)).toMatchObject({ status: 'dead' })
    expect(await told(given, id)).toEqual(['1 accepted', '2 refused'])
  })

  test('an id is there once', async () => {
    const delivery = aSimulation()
    await begin(delivery, 1)
    await refused(begin({ ...delivery, body: 'another' }, 2), 'delivery_exists')
    expect(await stored(given.store, delivery.id)).toMatchObject({
      body: delivery.body,
      attempts: [{ n: 1 }],
    })
  })

  test('the end of one that is gone is passed over', async () => {
    const id = await begun(1)
    await given.store.reset({ clients: false })
    expect(await finishByHand(id, 1, accepted)).toBe(false)
    expect(await given.store.findDelivery(id)).toBeNull()
  })
}

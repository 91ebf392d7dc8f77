import { expect, test } from 'vitest'
import { aDelivery, aResult } from '../factories.ts'
import { claim, type Given, refused, stored } from './given.ts'

const sent = { url: 'http://by-hand.test/', at: 700, wallAt: 800 }

const accepted = aResult()
const refusal = aResult({ outcome: 'refused', status: 500, responseBody: 'no', next: { status: 'dead' } })

/** A number for each attempt, and how it went. */
const told = async ({ store }: Given, id: string) =>
  (await stored(store, id)).attempts.map(({ n, outcome }) => `${n} ${outcome}`)

export function byHandConforms(given: Given): void {
  const begun = async (copies: number) => {
    const delivery = aDelivery({ sequence: 0 })
    await given.store.addByHand(delivery, { ...sent, copies })
    return delivery.id
  }

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
    await given.store.finishByHand(id, 3, refusal)
    expect(await stored(given.store, id)).toMatchObject({ status: 'dead' })
    expect(await told(given, id)).toEqual(['1 unknown', '2 unknown', '3 refused'])
    await given.store.finishByHand(id, 1, accepted)
    await given.store.finishByHand(id, 2, refusal)
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
    await given.store.finishByHand(id, 1, accepted)
    expect(await stored(given.store, id)).toMatchObject({ status: 'pending' })
    expect(await told(given, id)).toEqual(['1 accepted', '2 unknown'])
    await given.store.finishAttempt(id, 2, refusal)
    expect(await stored(given.store, id)).toMatchObject({ status: 'dead' })
    expect(await told(given, id)).toEqual(['1 accepted', '2 refused'])
  })

  test('an id is there once', async () => {
    const delivery = aDelivery({ sequence: 0 })
    await given.store.addByHand(delivery, { ...sent, copies: 1 })
    await refused(given.store.addByHand(delivery, { ...sent, copies: 1 }), 'delivery_exists')
  })

  test('the end of one that is gone is passed over', async () => {
    const id = await begun(1)
    await given.store.reset({ clients: false, scenarios: false })
    expect(await given.store.finishByHand(id, 1, accepted)).toBe(false)
    expect(await given.store.findDelivery(id)).toBeNull()
  })

  test('one that was made in a world that has ended since is refused', async () => {
    const delivery = aDelivery({ sequence: 0 })
    await refused(given.store.addByHand(delivery, { ...sent, copies: 1 }, { ended: true }), 'world_ended')
    expect(await given.store.findDelivery(delivery.id)).toBeNull()
  })

  test('its end in a former world is not that of the delivery of the same id in this one', async () => {
    const id = await begun(1)
    expect(await given.store.finishByHand(id, 1, accepted, { ended: true })).toBe(false)
    expect(await told(given, id)).toEqual(['1 unknown'])
    expect(await stored(given.store, id)).toMatchObject({ status: 'dead' })
  })
}

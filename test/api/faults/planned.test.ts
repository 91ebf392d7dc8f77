import { expect, test } from 'vitest'
import type { TestClient } from '../../support/client.ts'
import { expectStatus } from '../../support/expect.ts'
import { type Given, given } from './given.ts'

/** Plans the faulty scenario for coming orders of a client whose own scenario is another. */
async function planned(when: string, plan: object): Promise<Given> {
  const context = await given(`[{ on: create-order, when: ${when}, effect: { status: 500 }, times: 1 }]`, {
    client: { defaultScenario: 'happy' },
  })
  await context.emulator.control('/scenarios/next', 'POST', { scenario: 'faulty', ...plan })
  return context
}

const scenarioOf = async (client: TestClient, requestId: string) =>
  Object(await client.order(requestId)).scenario

test.each(['before', 'unchecked'])(
  'a planned scenario stays with the requestId whose create call a fault (%s) refused',
  async (when) => {
    const { client } = await planned(when, {})
    expectStatus(await client.createCheckout('r1'), 500)
    expectStatus(await client.createCheckout('r2'), 200)
    expectStatus(await client.createCheckout('r1'), 200)
    expect(await scenarioOf(client, 'r1')).toEqual({ id: 'faulty', why: 'next' })
    expect(await scenarioOf(client, 'r2')).toEqual({ id: 'happy', why: 'default' })
  },
)

test('a create call that a check refuses takes no planned scenario', async () => {
  const { client } = await planned('before', {})
  expectStatus(await client.createCheckout('r1', { signed: 'wrong' }), 401)
  expectStatus(await client.createCheckout('r2'), 500)
  expectStatus(await client.createCheckout('r1'), 200)
  expect(await scenarioOf(client, 'r1')).toMatchObject({ id: 'happy' })
})

test('of a scenario planned for two orders, one is kept and one is left', async () => {
  const { client } = await planned('before', { count: 2 })
  const answers = [await client.createCheckout('r1'), await client.createCheckout('r2')]
  expect(answers.map(({ status }) => status)).toEqual([500, 500])
  expectStatus(await client.createCheckout('r3'), 200)
  for (const requestId of ['r1', 'r2']) expectStatus(await client.createCheckout(requestId), 200)
  expect(await scenarioOf(client, 'r3')).toMatchObject({ id: 'happy' })
  for (const requestId of ['r1', 'r2'])
    expect(await scenarioOf(client, requestId)).toMatchObject({ id: 'faulty' })
})

test('of 20 calls with different requestIds at once, one gets a scenario planned for one', async () => {
  const { client } = await planned('before', {})
  const requestIds = Array.from({ length: 20 }, (_, n) => `r${n}`)
  const answers = await Promise.all(requestIds.map((requestId) => client.createCheckout(requestId)))
  expect(answers.filter(({ status }) => status === 500)).toHaveLength(1)
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(19)
})

test.each(['before', 'unchecked'])(
  'a rule (%s) counts each create call once, also those that lose their planned scenario to another',
  async (when) => {
    const { emulator, client } = await given(
      `[{ on: create-order, when: ${when}, effect: { status: 503 }, nth: 2 }]`,
    )
    await emulator.control('/scenarios/next', 'POST', { scenario: 'faulty', count: 1 })
    const requestIds = Array.from({ length: 10 }, (_, n) => `r${n}`)
    const answers = await Promise.all(requestIds.map((requestId) => client.createCheckout(requestId)))
    expect(answers.map(({ status }) => status)).toEqual(requestIds.map(() => 200))
    const chosen = await Promise.all(requestIds.map((requestId) => scenarioOf(client, requestId)))
    expect(chosen.filter(({ why }) => why === 'next')).toHaveLength(1)
  },
)

test('a call that loses its planned scenario meets the faults of the one that it gets', async () => {
  const { emulator, client } = await given(
    '[{ on: create-order, when: unchecked, effect: { status: 503 }, times: 1 }]',
  )
  await emulator.control('/scenarios/next', 'POST', { scenario: 'happy', count: 1 })
  const requestIds = Array.from({ length: 10 }, (_, n) => `r${n}`)
  const answers = await Promise.all(requestIds.map((requestId) => client.createCheckout(requestId)))
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, ...Array(9).fill(503)])
})

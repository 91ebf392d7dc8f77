import { expect, test } from 'vitest'
import { expectStatus } from '../../support/expect.ts'
import { given, untilStored } from './given.ts'

test('webhook-before-response: both webhooks have come when the create call is answered (S19)', async () => {
  const context = await given('[]', { client: { defaultScenario: 'webhook-before-response' } })
  const { client, receiver } = context
  let answered = false
  const created = client.createCheckout('r1').finally(() => {
    answered = true
  })
  await untilStored(context, 'r1')
  await client.advance('1s')
  expect(receiver.requests.map(({ json }) => json.orderStatus)).toEqual(['CREATED', 'COMPLETED'])
  expect(answered).toBe(false)
  await client.advance('2s')
  expectStatus(await created, 200)
})

test.each([
  ['{ of: CREATED, delay: 1s }', [4_000, 5_000]],
  ['[]', [3_000, 5_000]],
  ['{ of: CREATED, early: true }', [0, 5_000]],
])('with webhooks: %s the held answer counts, or not', async (webhooks, expected) => {
  const context = await given(
    `[{ on: create-order, when: stored, effect: { delay: 3s } }]\nwebhooks: ${webhooks}`,
    { timeline: '[{ at: 5s, order: COMPLETED }]' },
  )
  const { client } = context
  const t0 = await client.now()
  const created = client.createCheckout('r1')
  await untilStored(context, 'r1')
  await client.advance('10s')
  await created
  const deliveries = await client.deliveries()
  expect(deliveries.map(({ attempts }) => Array.isArray(attempts) && attempts[0].at - t0)).toEqual(expected)
})

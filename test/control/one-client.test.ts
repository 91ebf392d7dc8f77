import { expect, test } from 'vitest'
import type { Answer } from '../support/answer.ts'
import { type Fixture, startFixture } from '../support/emulator.ts'

const call = ({ emulator }: Fixture, path: string, method = 'GET', body?: object): Promise<Answer> =>
  emulator.send(`/_emulator${path}`, { method, headers: { 'content-type': 'application/json' }, body })

/** An order of C1, its delivery and its journal entry. */
async function thingsOfC1({ emulator, c1 }: Fixture) {
  const answer = await c1.createCheckout('r1')
  await c1.settle()
  const { orderId } = await c1.order('r1')
  const [delivery] = (await emulator.control('/deliveries?clientId=C1')).items
  return { orderId, deliveryId: delivery?.id, requestId: answer.headers['emulator-request-id'] }
}

test('what belongs to another client is not there, in the words of the thing', async () => {
  const fixture = await startFixture()
  const { orderId, deliveryId, requestId } = await thingsOfC1(fixture)
  const asked: readonly (readonly [path: string, code: string, method?: string, body?: object])[] = [
    [`/orders/${orderId}`, 'order_unknown'],
    [`/orders/${orderId}/pay`, 'order_unknown', 'POST', { outcome: 'completed' }],
    [`/orders/${orderId}/refunds`, 'order_unknown', 'POST', { fiatAmount: '1.00' }],
    [`/deliveries/${deliveryId}`, 'delivery_unknown'],
    [`/deliveries/${deliveryId}/resend`, 'delivery_unknown', 'POST'],
    [`/requests/${requestId}`, 'request_unknown'],
    ['/clients/C1', 'client_unknown'],
    ['/clients/C1', 'client_unknown', 'PATCH', {}],
    ['/clients/C1', 'client_unknown', 'DELETE'],
    ['/subscriptions/r1/cancel', 'subscription_unknown', 'POST'],
  ]
  for (const [path, code, method, body] of asked) {
    const { status, json } = await call(fixture, `${path}?clientId=C2`, method, body)
    expect({ path, status, json }).toMatchObject({ path, status: 404, json: { error: { code } } })
  }
  expect(await fixture.c1.order('r1')).toMatchObject({ orderId, paymentStatus: 'CREATED' })
})

test('its own client is found with ?clientId= as without', async () => {
  const fixture = await startFixture()
  const { orderId, deliveryId, requestId } = await thingsOfC1(fixture)
  for (const path of [
    `/orders/${orderId}`,
    `/deliveries/${deliveryId}`,
    `/requests/${requestId}`,
    '/clients/C1',
  ]) {
    const narrowed = await call(fixture, `${path}?clientId=C1`)
    expect(narrowed.text).toBe((await call(fixture, path)).text)
    expect(narrowed.status).toBe(200)
  }
})

test.each([
  ['/orders', {}],
  ['/deliveries', { body: 'x' }],
])('POST %s refuses two different clients', async (path, rest) => {
  const fixture = await startFixture()
  const { json } = await call(fixture, `${path}?clientId=C1`, 'POST', { clientId: 'C2', ...rest })
  expect(json).toMatchObject({ error: { message: expect.stringContaining('name different clients') } })
})

test('POST /deliveries asks whose webhook it is', async () => {
  const fixture = await startFixture()
  const { json } = await call(fixture, '/deliveries', 'POST', { body: 'x' })
  expect(json).toMatchObject({ error: { message: expect.stringContaining('clientId: is missing') } })
})

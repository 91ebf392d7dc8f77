import { readFile } from 'node:fs/promises'
import { startTestEmulator, type TestEmulator } from '../../support/emulator.ts'

/** An emulator with something to see on each of its pages: orders of every kind and in every state, webhooks that
 *  arrive, fail and wait, refused requests, planned faults, a bound scenario, settings. */
export async function startBusyWorld(atEnd: (close: () => Promise<void>) => void): Promise<TestEmulator> {
  const emulator = await startTestEmulator({}, atEnd)
  const c1 = await emulator.addClient({ clientId: 'C1', webhookUrl: 'http://127.0.0.1:9/closed' })
  const c2 = await emulator.addClient({ clientId: 'C2' })
  for (const name of ['busy-merchant', 'refunds-in-every-state', 'subscriptions-month-3']) {
    const body = await readFile(`fixtures/${name}.yaml`, 'utf8')
    await emulator.send('/_emulator/fixtures', {
      method: 'POST',
      headers: { 'content-type': 'application/yaml' },
      body,
    })
  }
  await c1.createCheckout(c1.checkout('order-1', { userMessage: 'Two tickets', metadata: { cart: [1, 2] } }))
  await c1.createSubscription('subscription-1')
  await c1.createCheckout('order-2', { signed: 'something else' })
  await c1.createCheckout('order-3', { headers: { 'access-token': 'nobody' } })
  await c1.advance('1h')
  await c1.fiatOrders('order-1')
  await c2.createCheckout('order-4')
  await c2.createCheckout(
    c2.checkout('a-very-long-request-id-'.repeat(6), { email: `${'x'.repeat(90)}@example.com` }),
  )
  await emulator.control('/deliveries/hold?clientId=C2', 'POST', { where: { requestId: 'order-5' } })
  await c2.createCheckout('order-5')
  const fault = {
    clientId: 'C1',
    on: 'create-order',
    where: { requestId: 'order-6' },
    effect: { status: 503 },
  }
  await emulator.control('/faults', 'POST', fault)
  await emulator.control('/scenarios/next', 'POST', { scenario: 'fail-9004', clientId: 'C1', count: 2 })
  await emulator.control('/settings?clientId=C1', 'PATCH', { responses: { urlField: 'payUrl' } })
  return emulator
}

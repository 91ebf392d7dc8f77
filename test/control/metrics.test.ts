import { expect, test } from 'vitest'
import { exposition } from '../../src/control/calls/metrics.ts'
import { startFixture, type TestEmulator } from '../support/emulator.ts'
import { parseExposition } from '../support/exposition.ts'
import { startReceiver } from '../support/receiver.ts'

const prefix = 'payment_order_emulator_'

async function scrape(emulator: TestEmulator, query = '') {
  const { text } = await emulator.control(`/metrics${query}`)
  const families = parseExposition(text)
  const value = (name: string, labels: Readonly<Record<string, string>> = {}): number | undefined =>
    families
      .get(prefix + name.replace(/_(count|sum|bucket)$/, ''))
      ?.samples.find(
        (sample) =>
          sample.name === prefix + name &&
          Object.entries(labels).every(([label, wanted]) => sample.labels[label] === wanted),
      )?.value
  return { text, families, value }
}

test('metrics come in the format that Prometheus reads, with its content type', async () => {
  const { emulator } = await startFixture()
  const answer = await emulator.control('/metrics')
  expect(answer.headers['content-type']).toBe('text/plain; version=0.0.4; charset=utf-8')
  expect([...parseExposition(answer.text).keys()]).toEqual(
    expect.arrayContaining(['process_cpu_seconds_total', 'nodejs_eventloop_lag_seconds']),
  )
})

test('they count what was done, request by request and attempt by attempt', async () => {
  const receiver = await startReceiver()
  receiver.answerWith({ status: 500 }, {})
  const { emulator, c1 } = await startFixture({ webhookUrl: receiver.url })
  const before = await scrape(emulator)
  await c1.createCheckout('r1')
  await c1.createCheckout('r1')
  await c1.createSubscription('r2')
  await c1.fiatOrders('r1')
  await c1.advance('10s')
  const { value } = await scrape(emulator)
  const counted = {
    checkouts: value('orders_created_total', { kind: 'checkout' }),
    subscriptions: value('orders_created_total', { kind: 'subscription' }),
    completed: value('order_transitions_total', { kind: 'checkout', what: 'order', to: 'COMPLETED' }),
    created: value('requests_total', { operation: 'create-checkout-order', status: '200' }),
    taken: value('requests_total', { operation: 'create-checkout-order', status: '401' }),
    causes: value('refusals_total', { cause: 'requestId.taken' }),
    lookups: value('requests_total', { operation: 'orders', status: '200' }),
    refused: value('delivery_attempts_total', { outcome: 'refused' }),
    delivered: value('deliveries_ended_total', { status: 'delivered' }),
    accepted: value('delivery_attempts_total', { outcome: 'accepted' }),
    timed: value('delivery_attempt_duration_seconds_count'),
    first: value('first_attempt_lateness_seconds_count'),
    clients: value('clients'),
  }
  const accepted = receiver.requests.length - 1
  expect(counted).toEqual({
    ...{ checkouts: 1, subscriptions: 1, completed: 1, created: 1, taken: 1, causes: 1, lookups: 1 },
    ...{ refused: 1, delivered: accepted, accepted, timed: accepted + 1, first: accepted, clients: 3 },
  })
  expect(before.value('orders_created_total')).toBeUndefined()
})

test('what hangs on is a gauge: held and pending deliveries, the journal', async () => {
  const receiver = await startReceiver()
  receiver.answerWith({ status: 500 })
  const { emulator, c1, c2 } = await startFixture({ webhookUrl: receiver.url })
  await c2.change({ webhookUrl: receiver.url })
  await emulator.control('/deliveries/hold?clientId=C2', 'POST', {})
  await c1.createCheckout('r1')
  await c2.createCheckout('r1')
  await Promise.all([c1.settle(), c2.settle()])
  await emulator.control('/requests')
  const { value } = await scrape(emulator)
  expect([value('deliveries', { status: 'pending' }), value('deliveries', { status: 'held' })]).toEqual([
    1, 1,
  ])
  expect([value('journal_entries'), value('journal_pruned_total')]).toEqual([2, 0])
})

test('a delivery without a URL, and one that nobody ever accepts, end as skipped and dead', async () => {
  const receiver = await startReceiver()
  receiver.answerWith({ status: 500 })
  const settings = { webhook: { retry: { max: 2 } } }
  const { emulator, c1, c2 } = await startFixture({ webhookUrl: receiver.url, settings })
  await Promise.all([c1.createCheckout('r1'), c2.createCheckout('r1')])
  await Promise.all([c1.settle(), c2.settle()])
  await c1.advance('3s')
  const { value } = await scrape(emulator)
  expect(value('deliveries_ended_total', { status: 'skipped' })).toBe(1)
  expect(value('deliveries_ended_total', { status: 'dead' })).toBe(1)
})

test('no label tells a client, an order or a requestId', async () => {
  const receiver = await startReceiver()
  const { emulator, c1 } = await startFixture({ webhookUrl: receiver.url })
  await c1.createCheckout('secret-request')
  await c1.createCheckout(c1.checkout('secret-request-2', { currencyId: 'secret-currency' }))
  await c1.lookUp('/v1/client/orders', { requestId: 'secret-request', clientId: 'secret-client' })
  await emulator.send('/v1/secret-path', { method: 'GET' })
  await c1.advance('10s')
  const { orderId } = await c1.order('secret-request')
  const { text } = await scrape(emulator)
  for (const word of ['secret', 'C1', String(orderId)]) expect(text).not.toContain(word)
})

test('?clientId= gives the numbers of one client, and none of the process', async () => {
  const { emulator, c1, c2 } = await startFixture()
  await c1.createCheckout('r1')
  await Promise.all([c2.createCheckout('r1'), c2.createCheckout('r2')])
  await Promise.all([c1.settle(), c2.settle()])
  await c2.createCheckout('r2')
  const [all, first, second] = await Promise.all(
    ['', '?clientId=C1', '?clientId=C2'].map((query) => scrape(emulator, query)),
  )
  const orders = { kind: 'checkout' }
  expect([all, first, second].map((each) => each?.value('orders_created_total', orders))).toEqual([3, 1, 2])
  expect(second?.value('refusals_total', { cause: 'requestId.taken' })).toBe(1)
  expect(first?.value('refusals_total', { cause: 'requestId.taken' })).toBeUndefined()
  expect(second?.value('deliveries_ended_total', { status: 'skipped' })).toBe(2)
  expect(first?.text).not.toMatch(/^(process_|nodejs_|payment_order_emulator_build_info)/m)
})

test('a client of the name of a removed one begins to be counted anew', async () => {
  const { emulator, c1 } = await startFixture()
  await c1.createCheckout('r1')
  await emulator.control('/clients/C1', 'DELETE')
  const again = await emulator.addClient({ clientId: 'C1' })
  await again.createCheckout('r1')
  const { value } = await scrape(emulator, '?clientId=C1')
  expect(value('orders_created_total', { kind: 'checkout' })).toBe(1)
})

test('the control token guards them like the rest', async () => {
  const { emulator } = await startFixture()
  expect((await emulator.send('/_emulator/metrics', { method: 'GET' })).status).toBe(200)
  const strange = await emulator.send('/_emulator/metrics', {
    method: 'GET',
    headers: { host: 'example.com' },
  })
  expect(strange.status).toBe(421)
})

test('labels are written so that any text comes out as it went in', () => {
  const value = 'a "b" \\ \n c'
  const text = exposition([
    { name: 'x_total', type: 'counter', help: 'one\\two\nthree', samples: [{ labels: { value }, value: 1 }] },
  ])
  expect(parseExposition(text).get('x_total')?.samples).toEqual([
    { name: 'x_total', labels: { value }, value: 1 },
  ])
})

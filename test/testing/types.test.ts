import { expectTypeOf, test } from 'vitest'
import type {
  ClientLedger,
  Clocks,
  Delivery,
  JournalEntry,
  Order,
  TestClient,
  TestEmulator,
} from '../../src/index.ts'

// Nothing here runs: `npm run check` compiles it. Each line that must not compile says so.

declare const client: TestClient
declare const emulator: TestEmulator

const compiled = (_: () => unknown): void => {}

test('a wait answers the kind of thing that it was for', () => {
  compiled(() => {
    expectTypeOf(client.waitFor('order', {})).resolves.toEqualTypeOf<Order>()
    expectTypeOf(client.waitFor('delivery', {})).resolves.toEqualTypeOf<Delivery>()
    expectTypeOf(client.waitFor('request', {})).resolves.toEqualTypeOf<JournalEntry>()
    // @ts-expect-error There is no such kind.
    return client.waitFor('webhook', {})
  })
})

test('the clock of a client tells its own times, that of all everybody’s', () => {
  expectTypeOf<Awaited<ReturnType<TestClient['clock']['advance']>>>().toEqualTypeOf<ClientLedger>()
  expectTypeOf<Awaited<ReturnType<TestEmulator['clock']['read']>>>().toEqualTypeOf<Clocks>()
  expectTypeOf<ClientLedger['now']>().toEqualTypeOf<number>()
})

test('filters take the names that lists have, and values that are no texts', () => {
  compiled(() => client.requests.list({ status: 401, operation: 'orders', limit: 1, order: 'newest' }))
  // @ts-expect-error Misspelled.
  compiled(() => client.orders.list({ orderstatus: 'FAILED' }))
  // @ts-expect-error A list has no dotted names but its own.
  compiled(() => client.deliveries.list({ 'attempts.0.status': 200 }))
})

test('what is looked for may have dotted names', () => {
  compiled(() => client.waitFor('delivery', { 'attempts.0.status': 200, orderStatus: 'COMPLETED' }))
  compiled(() => client.requests.verify({ 'body.fiatAmount': '10.00', diagnosis: null }))
  // @ts-expect-error An object is no value to be equal to.
  compiled(() => client.waitFor('order', { metadata: {} }))
})

test('what is left out may as well be undefined', () => {
  const unset: string | undefined = undefined
  compiled(() => client.createCheckoutOrder({ email: unset }, { scenario: unset }))
  compiled(() => emulator.createClient({ webhookUrl: unset, clock: { mode: undefined } }))
  compiled(() => client.orders.list({ requestId: unset }))
  compiled(() => client.clock.runUntilIdle({ limit: undefined, timeoutMs: undefined }))
})

test('an amount is a text', () => {
  // @ts-expect-error A number would lose its spelling.
  compiled(() => client.createCheckoutOrder({ fiatAmount: 10 }))
})

test('scenarios of one’s own are as good as those that ship', () => {
  compiled(() => client.scenarios.next('my-own'))
  compiled(() => client.createCheckoutOrder({}, { scenario: 'fail-9004' }))
})

import { expect, onTestFinished, test } from 'vitest'
import { type StartOptions, startEmulator, type TestClient } from '../../src/index.ts'
import { garbageCollector } from '../support/garbage-collector.ts'

/** A client whose webhooks go to a function. */
async function clientOf(
  webhookFetch: NonNullable<StartOptions['webhookFetch']>,
  {
    webhookUrl = 'http://shop.test/hooks?from=payments',
    ...options
  }: StartOptions & { webhookUrl?: string } = {},
): Promise<TestClient> {
  const emulator = await startEmulator({ listen: false, clock: 'manual', webhookFetch, ...options })
  onTestFinished(() => emulator.close())
  const settings = { 'webhook.retry.max': 0 }
  return emulator.createClient({ webhookUrl, settings })
}

/** The only attempt at the first webhook of a new order. */
async function attemptOf(client: TestClient) {
  const { requestId } = await client.createCheckoutOrder({ fiatAmount: '10.00', email: 'a@example.com' })
  await client.clock.settle()
  const [delivery] = await client.deliveries.list({ requestId })
  return delivery?.attempts[0]
}

test('A webhook reaches the function as it would reach a server', async () => {
  const requests: Request[] = []
  const bodies: unknown[] = []
  const client = await clientOf(async (request) => {
    requests.push(request)
    bodies.push(await request.json())
    return new Response('thanks', { status: 202 })
  })
  expect(await attemptOf(client)).toMatchObject({ outcome: 'accepted', status: 202, responseBody: 'thanks' })
  expect(bodies).toMatchObject([{ orderStatus: 'CREATED' }])
  expect(requests).toMatchObject([{ method: 'POST', url: 'http://shop.test/hooks?from=payments' }])
  expect(Object.fromEntries(requests[0]?.headers ?? [])).toMatchObject({
    host: 'shop.test',
    'content-type': 'application/json',
    'content-length': String(JSON.stringify(bodies[0]).length),
    'webhook-signature': expect.stringMatching(/^v1,/),
  })
})

test('A refusal is told with its body, and its Retry-After is kept to', async () => {
  let asked = 0
  const client = await clientOf(() => {
    asked += 1
    return new Response('busy', { status: 503, headers: { 'retry-after': '90' } })
  })
  await client.change({ settings: { 'webhook.retry.max': 1 } })
  expect(await attemptOf(client)).toMatchObject({ outcome: 'refused', status: 503, responseBody: 'busy' })
  const [delivery] = await client.deliveries.list()
  expect(delivery?.dueAt).toBe((await client.clock.now()) + 90_000)
  expect(asked).toBe(1)
})

test.each<[string, NonNullable<StartOptions['webhookFetch']>, string]>([
  [
    'throws',
    () => {
      throw new Error('no such route')
    },
    'no such route',
  ],
  ['rejects with no error', () => Promise.reject('gone'), 'gone'],
  ['answers an object of its own', () => Object({ status: 200 }), 'webhookFetch did not return a Response'],
  ['answers an error of fetch', () => Response.error(), 'webhookFetch did not return a Response'],
])('A function that %s counts as a connection that failed', async (_, receive, error) => {
  expect(await attemptOf(await clientOf(receive))).toMatchObject({
    outcome: 'connection',
    status: null,
    error: expect.stringContaining(error),
  })
})

test('A function that answers nothing in time is given up, and its request is aborted', async () => {
  const aborted = Promise.withResolvers<void>()
  const client = await clientOf((request) => {
    request.signal.addEventListener('abort', () => aborted.resolve())
    return new Promise(() => {})
  })
  await client.change({ settings: { 'webhook.timeout': '100ms' } })
  expect(await attemptOf(client)).toMatchObject({ outcome: 'timeout', error: 'no answer within 100 ms' })
  await aborted.promise
})

test('A function that keeps only the signal of its request hears of the abort, whatever is collected meanwhile', async () => {
  const aborted = Promise.withResolvers<void>()
  const client = await clientOf(({ signal }) => {
    signal.addEventListener('abort', () => aborted.resolve())
    setImmediate(garbageCollector())
    return new Promise(() => {})
  })
  await client.change({ settings: { 'webhook.timeout': '100ms' } })
  expect(await attemptOf(client)).toMatchObject({ outcome: 'timeout' })
  await aborted.promise
})

test('An answer whose body never ends counts by its status, and its body is no longer read', async () => {
  const cancelled = Promise.withResolvers<unknown>()
  const endless = () =>
    new ReadableStream({ cancel: cancelled.resolve, start: (c) => c.enqueue(Buffer.from('and')) })
  const client = await clientOf(() => new Response(endless()))
  await client.change({ settings: { 'webhook.timeout': '100ms' } })
  expect(await attemptOf(client)).toMatchObject({ outcome: 'accepted', status: 200, responseBody: 'and' })
  await cancelled.promise
})

test('A body that only comes once the time is over is not read at all', async () => {
  const cancelled = Promise.withResolvers<unknown>()
  const client = await clientOf(async ({ signal }) => {
    await new Promise((resolve) => signal.addEventListener('abort', resolve))
    return new Response(
      new ReadableStream({ cancel: cancelled.resolve, pull: (c) => c.enqueue(Buffer.from('more')) }),
    )
  })
  await client.change({ settings: { 'webhook.timeout': '20ms' } })
  expect(await attemptOf(client)).toMatchObject({ outcome: 'timeout' })
  await cancelled.promise
})

test('A body that is cut on purpose breaks off in the function’s hands', async () => {
  const read = Promise.withResolvers<unknown>()
  const client = await clientOf(async (request) => {
    await request.text().then(read.resolve, read.resolve)
    return new Response()
  })
  await client.faults.plan({ on: 'delivery', effect: { cut: 10 } })
  expect(await attemptOf(client)).toMatchObject({
    outcome: 'connection',
    error: expect.stringContaining('cut'),
  })
  expect(await read.promise).toMatchObject({
    message: expect.stringMatching(/^cut on purpose after 10 of \d+ bytes/),
  })
})

test('A URL that webhooks may not go to is refused, though a function would take it', async () => {
  const never = () => expect.unreachable('a forbidden URL was called')
  const secrets = await clientOf(never, { webhookUrl: 'http://169.254.169.254/latest' })
  expect(await attemptOf(secrets)).toMatchObject({
    outcome: 'connection',
    error: expect.stringContaining('secrets'),
  })
  const narrowed = await clientOf(never, { webhookAllow: ['other.test'] })
  expect(await attemptOf(narrowed)).toMatchObject({
    outcome: 'connection',
    error: expect.stringContaining('allow'),
  })
})

test('An emulator with a port hands its webhooks to a function too', async () => {
  const client = await clientOf(() => new Response(), { listen: true })
  expect(client.env.PAYMENT_ORDER_BASE_URL).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/)
  expect(await attemptOf(client)).toMatchObject({ outcome: 'accepted' })
})

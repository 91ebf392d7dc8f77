// Written by tools/docs.ts from README.md and docs/.
import { guide } from './guide-world.ts'
import { expect, test, test as base } from 'vitest'
import { startEmulator, type TestClient, type TestEmulator, ServiceCallRefused } from '../../src/index.ts'
import { StoryTests, conform } from '../../src/conform/index.ts'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'
import { Hono } from 'hono'

{
  test('an order is paid within ten minutes', async () => {
    await using emulator = await startEmulator({ clock: 'manual' })
    const client = await emulator.createClient() // credentials for your application: client.env
    const { requestId } = await client.createCheckoutOrder({ fiatAmount: '10.00' })
    await client.clock.advance('10m')
    expect(await client.fiatOrders(requestId)).toMatchObject([{ orderStatus: 'COMPLETED' }])
  })
}

guide("docs/how-to/failures.md, Verify what your code did", async ({ client }) => {
  await client.faults.plan({ on: 'orders', effect: { status: 503 }, times: 2 })
  for (const status of [503, 503, 200]) {
    const path = `/v1/client/orders?requestId=gift&clientId=${client.clientId}`
    expect(await client.send({ method: 'GET', path })).toMatchObject({ status })
  }
  await client.requests.verify({ operation: 'orders', requestId: 'gift' }, { count: 3 })
})

guide("docs/how-to/find-integration-bugs.md, Found stories as tests", async ({  }) => {
  await using emulator = await startEmulator({ listen: false, webhookFetch: async () => new Response() })
  const client = await emulator.createClient({ webhookUrl: 'http://shop.test/webhooks' })
  const config = {
    client: client.clientId,
    settle: '20ms',
    start: async () => (await client.createCheckoutOrder()).requestId, // your application would do this
    probe: () => ({ status: 'CREATED', effects: 0 }),
  }
  const stories = new StoryTests({ emulator, config }, [
    { name: 'declined', promise: 'nothing-for-failures', acts: ['create', 'decline', 'a day passes'] },
  ])
  for (const { name } of stories.stories) {
    const { verdict } = await stories.check(name)
    expect(verdict).toBe('PASS')
  }
  await stories.close()
})

guide("docs/how-to/find-integration-bugs.md, Without a port", async ({  }) => {
  // Stands for your application.
  const parcels = new Map<string, number>()
  const app = async (request: Request): Promise<Response> => {
    const { requestId, orderStatus }: { requestId: string; orderStatus: string } = JSON.parse(await request.text())
    if (orderStatus === 'COMPLETED') parcels.set(requestId, (parcels.get(requestId) ?? 0) + 1)
    return new Response(null, { status: 204 })
  }

  await using emulator = await startEmulator({ listen: false, webhookFetch: app })
  const client = await emulator.createClient({ webhookUrl: 'http://shop.test/webhooks' })

  const report = await conform(
    emulator,
    {
      client: client.clientId,
      settle: '20ms',
      start: async () => (await client.createCheckoutOrder()).requestId, // your application would do this
      probe: (id) => ({ status: parcels.has(id) ? 'COMPLETED' : 'CREATED', effects: parcels.get(id) ?? 0 }),
    },
    { only: ['K01', 'K08', 'K20'] },
  )

  expect(report.cases.map(({ id, verdict }) => `${id} ${verdict}`)).toEqual([
    'K01 PASS',
    'K08 FAIL', // a parcel for each repeat
    'K20 FAIL', // and one for anyone who says COMPLETED
  ])
})

guide("docs/how-to/parallel-tests.md, Run tests in parallel", async ({ emulator }) => {
  const [one, two] = [await emulator.createClient(), await emulator.createClient()]
  await Promise.all([one.createCheckoutOrder({ requestId: 'r1' }), two.createCheckoutOrder({ requestId: 'r1' })])
  await one.clock.advance('10m')
  expect(await one.fiatOrders('r1')).toMatchObject([{ orderStatus: 'COMPLETED' }])
  expect(await two.fiatOrders('r1')).toMatchObject([{ orderStatus: 'CREATED' }])
})

guide("docs/how-to/subscriptions.md, In a test", async ({ client }) => {
  const { requestId } = await client.createSubscriptionOrder({}, { scenario: 'sub-month3-fails' })
  await client.clock.advance('P6M')
  const charges = await client.orders.list({ requestId })
  expect(charges.map(({ orderStatus }) => orderStatus)).toContain('FAILED')

  await client.orders.cancelSubscription(requestId)
  expect((await client.clock.advance('P1Y')).transitions).toEqual([])
})

{
  test('an order is paid within ten minutes', async () => {
    await using emulator = await startEmulator({ clock: 'manual' })
    const client = await emulator.createClient()
    const order = await client.createCheckoutOrder({ fiatAmount: '10.00', email: 'a@example.com' })

    const ledger = await client.clock.advance('10m')

    expect(ledger.transitions).toMatchObject([{ what: 'payment' }, { what: 'order', to: 'COMPLETED' }])
    expect(await client.fiatOrders(order.requestId)).toMatchObject([{ orderStatus: 'COMPLETED' }])
  })
}

{
  const test = base.extend<{ emulator: TestEmulator; client: TestClient }>({
    emulator: [
      async ({}, use) => {
        await using emulator = await startEmulator({ clock: 'manual' })
        await use(emulator)
      },
      { scope: 'file' },
    ],
    client: async ({ emulator }, use) => use(await emulator.createClient()),
  })

  test('a fresh client has no orders', async ({ client }) => {
    expect(await client.orders.list()).toEqual([])
  })
}

guide("docs/how-to/tests.md, Test your application", async ({ client }) => {
  // Stands for your application, which would read client.env.
  const parcels: string[] = []
  const shop = createServer(async (request, response) => {
    const { requestId, orderStatus } = JSON.parse(await text(request))
    if (orderStatus === 'COMPLETED' && !parcels.includes(requestId)) parcels.push(requestId)
    response.end()
  })
  await once(shop.listen(0, '127.0.0.1'), 'listening')
  const address = shop.address()
  const port = typeof address === 'object' && address?.port

  await client.setWebhookUrl(`http://127.0.0.1:${port}/webhooks`)
  await client.scenarios.next('webhook-duplicate')
  const { requestId } = await client.createCheckoutOrder() // your application would do this
  await client.clock.advance('10m')

  expect(parcels).toEqual([requestId])
  expect(await client.deliveries.list({ requestId, status: 'delivered' })).toHaveLength(4)
  shop.close()
})

guide("docs/how-to/tests.md, Test your application", async ({  }) => {
  const parcels = new Set<string>() // your application's state
  setTimeout(() => parcels.add('order-1'), 20) // its work after the answer

  await expect.poll(() => parcels.size).toBe(1)
})

guide("docs/how-to/tests.md, Move time", async ({ client }) => {
  await client.createCheckoutOrder({ requestId: 'slow' }, { scenario: 'overnight' })

  const ledger = await client.clock.advance('36h')

  expect(ledger.transitions.at(-1)).toMatchObject({ requestId: 'slow', to: 'COMPLETED' })
  expect(ledger.now - ledger.from).toBe(36 * 60 * 60 * 1000)
})

guide("docs/how-to/tests.md, Move time", async ({ client }) => {
  await client.createSubscriptionOrder({ requestId: 'sub', interval: 'MONTHLY' })
  await client.clock.advance('P6M') // calendar months
  expect(await client.orders.list({ requestId: 'sub', orderStatus: 'COMPLETED' })).toHaveLength(6)

  await client.clock.advanceToNext() // to the next step that is due
  await client.clock.settle() // time stands; what is due now finishes
})

guide("docs/how-to/tests.md, Choose what happens to an order", async ({ client }) => {
  await client.scenarios.next('fail-9004') // for the next order
  const order = await client.createCheckoutOrder()
  await client.clock.advance('1m')
  expect(await client.orders.get(order)).toMatchObject({
    orderStatus: 'FAILED',
    errorReason: { errorCode: '9004' },
  })
})

guide("docs/how-to/tests.md, Choose what happens to an order", async ({ client }) => {
  await client.change({ defaultScenario: 'payer-decides' })
  const order = await client.createCheckoutOrder()
  await client.orders.pay(order, 'failed', { errorCode: '9005' })
  await client.clock.advance('1m')
  expect(await client.orders.get(order)).toMatchObject({ errorReason: { errorCode: '9005' } })
})

guide("docs/how-to/tests.md, Choose what happens to an order", async ({ client }) => {
  const order = await client.createCheckoutOrder({ fiatAmount: '10.00' })
  await client.clock.advance('10m')
  await client.orders.refund(order, { fiatAmount: '3.00' })

  // No webhook reports a refund. Your application looks it up, like this.
  const { data, errorReason } = await client.fiatRefunds(order)
  expect(data).toMatchObject([{ fiatAmount: '3.00', status: 'REFUND_INITIATED' }])
  expect(errorReason).toBeUndefined()
})

guide("docs/how-to/tests.md, Make a call fail", async ({ client }) => {
  const fault = await client.faults.plan({ on: 'create-order', effect: { status: 503, retryAfter: 2 } })

  // Your application would retry; this call does not.
  await expect(client.createCheckoutOrder()).rejects.toMatchObject({ status: 503 })

  expect(await client.faults.get(fault.id)).toMatchObject({ hits: 1, over: true })
})

guide("docs/how-to/tests.md, Check what your application sent", async ({ client }) => {
  await client.createCheckoutOrder({ fiatAmount: '19.99' })
  await client.requests.verify({ operation: 'create-order', 'body.fiatAmount': '19.99' }, { count: 1 })
  await client.requests.verify({ operation: 'orders' }, { atMost: 0 })

  const [last] = await client.requests.list({ order: 'newest', limit: 1 })
  expect(last).toMatchObject({ status: 200, diagnosis: null })
})

guide("docs/how-to/tests.md, Receive webhooks in the test", async ({ emulator, client }) => {
  const inbox = await emulator.webhookInbox(client)
  const { requestId } = await client.createCheckoutOrder()
  await inbox.next({ requestId, orderStatus: 'CREATED' })

  await client.clock.advance('10m')

  const { event, signature, attempt } = await inbox.next({ requestId })
  expect(event).toMatchObject({ orderStatus: 'COMPLETED', orderType: 'CHECKOUT' })
  expect({ signature, attempt }).toEqual({ signature: 'ok', attempt: 1 })
  await inbox.none()
})

guide("docs/how-to/tests.md, Receive webhooks in the test", async ({ emulator, client }) => {
  const inbox = await emulator.webhookInbox(client)
  inbox.answerOnce(500, 'reset')
  await client.createCheckoutOrder({}, { scenario: 'never-pays' })

  await client.clock.advance('1m')

  expect(inbox.webhooks.map(({ attempt, answered }) => [attempt, answered])).toEqual([[1, 500], [2, null], [3, 200]])
})

guide("docs/how-to/tests.md, Wait on a running clock", async ({ client }) => {
  await client.clock.set({ mode: 'real', speed: 100 })
  const { requestId } = await client.createCheckoutOrder()
  const order = await client.waitFor('order', { requestId, orderStatus: 'COMPLETED' })
  expect(order.paymentStatus).toBe('COMPLETED')
})

guide("docs/how-to/tests.md, Wait on a running clock", async ({ client }) => {
  const events = await client.events()
  await client.createCheckoutOrder({ requestId: 'heard' })

  for await (const { type, data } of events) {
    if (type !== 'order') continue
    expect(data).toMatchObject({ requestId: 'heard', orderStatus: 'CREATED' })
    break // closes the stream
  }
})

guide("docs/how-to/tests.md, Run without a port", async ({  }) => {
  // Your application, which accepts the function that it calls others with.
  const createShop = (baseUrl: string, token: string, fetch: typeof globalThis.fetch) => ({
    orders: (query: string) =>
      fetch(`${baseUrl}/v1/client/orders?${query}`, { headers: { 'access-token': token } }),
  })

  await using emulator = await startEmulator({ listen: false, clock: 'manual' })
  const client = await emulator.createClient()
  const shop = createShop(emulator.url, client.accessToken, emulator.fetch)

  expect(emulator.url).toBe('http://payment-order-emulator.internal')
  expect(await shop.orders(`requestId=r1&clientId=${client.clientId}`)).toMatchObject({ status: 200 })
})

guide("docs/how-to/tests.md, Run without a port", async ({  }) => {
  const received: string[] = []
  const app = new Hono().post('/hooks/payments', async (c) => {
    received.push((await c.req.json()).orderStatus)
    return c.body(null, 204)
  })
  await using emulator = await startEmulator({ listen: false, clock: 'manual', webhookFetch: app.fetch })
  const client = await emulator.createClient({ webhookUrl: 'http://shop.test/hooks/payments' })

  await client.createCheckoutOrder()
  await client.clock.advance('10m')
  expect(received).toEqual(['CREATED', 'COMPLETED'])
})

guide("docs/how-to/tests.md, Repeat a run, or a part of it", async ({  }) => {
  async function payoutId() {
    await using emulator = await startEmulator({
      clock: 'manual',
      startTime: '2026-01-31T10:00:00Z',
      seed: 'my test',
    })
    const shop = await emulator.createClient({ clientId: 'shop' })
    return (await shop.orders.make({ kind: 'payout', requestId: 'r1' })).orderId
  }

  expect(await payoutId()).toBe(await payoutId())
})

guide("docs/how-to/tests.md, Repeat a run, or a part of it", async ({ client }) => {
  const { requestId } = await client.createCheckoutOrder()
  const snapshot = await client.snapshot()
  await client.clock.advance('1h')
  await client.restore(snapshot)
  expect(await client.orders.get(requestId)).toMatchObject({ orderStatus: 'CREATED' })
})

guide("docs/reference/library.md, Library reference", async ({  }) => {
  await using emulator = await startEmulator({ clock: 'manual' })
  const client = await emulator.createClient()
  const { requestId } = await client.createCheckoutOrder({ fiatAmount: '10.00' })
  await client.clock.advance('10m')
  expect(await client.fiatOrders(requestId)).toMatchObject([{ orderStatus: 'COMPLETED' }])
})

guide("docs/reference/library.md, Errors", async ({ client }) => {
  const order = { requestId: 'r9', fiatAmount: '10.00' }
  const refused = client.createCheckoutOrder(order, { stringToSign: 'fiatAmount=10&requestId=r9' })
  await expect(refused).rejects.toThrow(ServiceCallRefused)
  await expect(refused).rejects.toMatchObject({ status: 401, diagnosis: { cause: 'signature.amount-spelling' } })
})

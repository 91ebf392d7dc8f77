import { describe, expect, onTestFinished, test } from 'vitest'
import { NotAsExpected, ServiceCallRefused } from '../../src/index.ts'
import { startReceiver } from '../support/receiver.ts'
import { forms, inEachForm } from './support/forms.ts'

const checkout = { fiatAmount: '10.00', email: 'a@example.com' }

describe.each(forms)('a client of an emulator %s', (_, begin) => {
  test('creates an order, moves time, and sees it through to its webhooks', async () => {
    const emulator = await begin({ clock: 'manual' })
    const receiver = await startReceiver()
    const client = await emulator.createClient({ webhookUrl: receiver.url })
    const order = await client.createCheckoutOrder(checkout)
    const ledger = await client.clock.advance('10m')
    expect(ledger.transitions.map(({ to }) => to)).toEqual(['COMPLETED', 'COMPLETED'])
    expect((await receiver.received(2)).map(({ json }) => json.orderStatus)).toEqual(['CREATED', 'COMPLETED'])
    expect(await client.fiatOrders(order.requestId)).toMatchObject([{ orderStatus: 'COMPLETED' }])
  })

  test('simulates a webhook of which nothing has to be said, or all', async () => {
    const receiver = await startReceiver()
    const client = await (await begin()).createClient({ webhookUrl: receiver.url })
    await client.simulateWebhook()
    const all = {
      ...{ requestId: 'r1', clientId: client.clientId, orderId: 'o1', orderStatus: 'FAILED' },
      ...{ orderType: 'PAYOUT', eventType: 'of-mine', errorCode: '9005' },
    }
    await client.simulateWebhook(all)
    const [usual, told] = await receiver.received(2)
    expect(usual?.json).toEqual({
      requestId: expect.stringMatching(/./),
      orderId: expect.stringMatching(/./),
      clientId: client.clientId,
      ...{ orderStatus: 'COMPLETED', orderType: 'CHECKOUT' },
      eventType: 'service-sdk-transaction-status',
    })
    expect(told?.json).toEqual(all)
    expect(await client.orders.list()).toEqual([])
  })

  test('is disposed of although its emulator was closed before', async () => {
    const emulator = await begin()
    const client = await emulator.createClient()
    await emulator.close()
    await client[Symbol.asyncDispose]()
    await expect(client.remove()).rejects.toThrow('after emulator.close()')
  })

  test('is told by a refused call what the service said, and why', async () => {
    const client = await (await begin()).createClient()
    const { requestId } = await client.createCheckoutOrder(checkout)
    const refused = await client
      .createCheckoutOrder({ ...checkout, requestId })
      .catch((error: unknown) => error)
    expect(refused).toBeInstanceOf(ServiceCallRefused)
    expect(refused).toMatchObject({
      status: 401,
      code: '7001',
      diagnosis: { cause: 'requestId.taken' },
      message: expect.stringContaining('Order already exists for given requestId'),
    })
  })

  test('fails a verification with the nearest misses', async () => {
    const client = await (await begin()).createClient()
    await client.createCheckoutOrder(checkout)
    const wrong = client.requests.verify({ operation: 'create-order', 'body.fiatAmount': '11.00' })
    await expect(wrong).rejects.toThrow(NotAsExpected)
    await expect(wrong).rejects.toMatchObject({
      nearest: [{ differs: [{ member: 'body.fiatAmount', wanted: '11.00', found: '10.00' }] }],
    })
  })
})

inEachForm('a client', (emulator) => {
  test('signs as its settings pin it', async () => {
    const client = await emulator().createClient({ settings: { 'signature.checkout': 'with-currency' } })
    await client.createCheckoutOrder()
    await client.changeSettings({ 'signature.checkout': 'short' })
    await client.createCheckoutOrder()
    expect(await client.orders.list()).toHaveLength(2)
  })

  test('signs as the settings of all clients pin it, from the moment on that they do', async () => {
    const client = await emulator().createClient()
    onTestFinished(() =>
      emulator()
        .changeSettings({ 'signature.checkout': null })
        .then(() => {}),
    )
    await emulator().changeSettings({ 'signature.checkout': 'with-currency' })
    await expect(client.createCheckoutOrder()).resolves.toBeDefined()
  })

  test.each(['Access-Token', 'access-token', 'ACCESS-TOKEN'])(
    'sends a header %s in the place of its own',
    async (name) => {
      const client = await emulator().createClient()
      const path = `/v1/client/orders?requestId=r1&clientId=${client.clientId}`
      const { accessToken } = await client.issueAccessToken()
      expect(await client.send({ method: 'GET', path, headers: { [name]: accessToken } })).toMatchObject({
        status: 200,
      })
      expect(await client.send({ method: 'GET', path, headers: { [name]: 'wrong' } })).toMatchObject({
        status: 401,
      })
    },
  )

  test('is refused a scenario that there is not, and one for another kind of order; nothing is created', async () => {
    const client = await emulator().createClient()
    const misspelt = client.createCheckoutOrder({}, { scenario: 'webhook-duplicte' })
    await expect(misspelt).rejects.toThrow(
      'There is no scenario "webhook-duplicte". Did you mean "webhook-duplicate"?',
    )
    const ofOthers = client.createSubscriptionOrder({}, { scenario: 'payout-ok' })
    await expect(ofOthers).rejects.toThrow('"payout-ok" is for payout, not for subscription')
    expect(await client.orders.list()).toEqual([])
  })

  test('goes by its new credentials once they are changed', async () => {
    const client = await emulator().createClient()
    await client.change({ apiSecret: 'new secret', accessToken: 'new-token' })
    expect(client.env).toMatchObject({
      PAYMENT_ORDER_API_SECRET: 'new secret',
      PAYMENT_ORDER_ACCESS_TOKEN: 'new-token',
    })
    await client.createCheckoutOrder()
  })

  test('is told when its issued token has expired on its clock', async () => {
    const client = await emulator().createClient()
    const { accessToken, expiresIn } = await client.issueAccessToken()
    await client.createCheckoutOrder({}, { accessToken })
    await client.clock.advance(`${expiresIn}s`)
    const late = client.createCheckoutOrder({}, { accessToken })
    await expect(late).rejects.toMatchObject({ status: 401, diagnosis: { cause: 'token.expired' } })
  })

  test('sends what is wrong on purpose, as it is', async () => {
    const client = await emulator().createClient()
    const sent = await client.send({ method: 'POST', path: '/v1/client/checkout/create-order', body: '{' })
    expect(sent.status).toBeGreaterThanOrEqual(400)
    const unsigned = client.createCheckoutOrder({}, { stringToSign: '' })
    await expect(unsigned).rejects.toMatchObject({ diagnosis: { cause: 'signature.empty-string' } })
  })

  test('expires its issued tokens, and its own one if that is asked for', async () => {
    const client = await emulator().createClient()
    const { accessToken } = await client.issueAccessToken()
    const expired = { status: 401, diagnosis: { cause: 'token.expired' } }
    await client.expireTokens()
    await expect(client.createCheckoutOrder({}, { accessToken })).rejects.toMatchObject(expired)
    await client.createCheckoutOrder()
    expect(await client.expireTokens({ own: true })).toMatchObject({ accessToken: client.accessToken })
    await expect(client.createCheckoutOrder()).rejects.toMatchObject(expired)
    await client.change({ accessToken: client.accessToken })
    await client.createCheckoutOrder()
  })

  test('sees earlier records while its lookups are stale', async () => {
    const client = await emulator().createClient({ clock: { mode: 'manual' } })
    const { requestId } = await client.createCheckoutOrder()
    await client.clock.advance('10m')
    await client.faults.plan({ on: 'orders', effect: { stale: true } })
    expect(await client.fiatOrders(requestId)).toMatchObject([{ orderStatus: 'CREATED' }])
    expect(await client.fiatOrders(requestId)).toMatchObject([{ orderStatus: 'COMPLETED' }])
  })

  test('is gone at the end of its block, also if it has been removed before', async () => {
    const clientIds = ['gone', 'removed']
    for (const clientId of clientIds) {
      await using client = await emulator().createClient({ clientId })
      if (clientId === 'removed') await client.remove()
    }
    const left = (await emulator().clients()).map(({ clientId }) => clientId)
    expect(left.filter((clientId) => clientIds.includes(clientId))).toEqual([])
  })

  test('by an id of dots leads nowhere else', async () => {
    for (const id of ['.', '..', '%2e%2E']) {
      await expect(emulator().client(id)).rejects.toMatchObject({
        code: /%/.test(id) ? 'client_unknown' : 'not_found',
      })
      await expect(emulator().control('DELETE', `/clients/${id}`)).rejects.toThrow('is not a valid id')
    }
  })

  test('works beside others at the same time', async () => {
    const clients = await Promise.all(Array.from({ length: 8 }, () => emulator().createClient()))
    const seen = await Promise.all(
      clients.map(async (client, index) => {
        await client.createCheckoutOrder(
          { requestId: 'r1' },
          { scenario: index % 2 === 0 ? 'happy' : 'fail-9004' },
        )
        await client.clock.advance(`${index + 1}m`)
        return (await client.orders.list()).map(({ orderStatus }) => orderStatus)
      }),
    )
    expect(seen).toEqual(clients.map((_, index) => [index % 2 === 0 ? 'COMPLETED' : 'FAILED']))
  })
})

import { describe, expect, test } from 'vitest'
import { NotAsExpected, ServiceCallRefused } from '../../src/index.ts'
import { startReceiver } from '../support/receiver.ts'
import { forms } from './support/forms.ts'

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

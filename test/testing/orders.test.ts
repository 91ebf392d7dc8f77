import { expect, test } from 'vitest'
import { ControlCallRefused } from '../../src/index.ts'
import { inEachForm } from './support/forms.ts'

inEachForm('orders', (emulator) => {
  test('are named by requestId, by the answer to their create call, or by orderId', async () => {
    const client = await emulator().createClient()
    const created = await client.createCheckoutOrder()
    const order = await client.orders.get(created)
    expect(await client.orders.get(created.requestId)).toEqual(order)
    expect(await client.orders.get({ orderId: order.orderId })).toEqual(order)
  })

  test('are drawn as a sequence, and one that is not there has none', async () => {
    const client = await emulator().createClient()
    const created = await client.createCheckoutOrder()
    const mermaid = await client.orders.sequence(created)
    expect(mermaid).toContain(`title Order ${created.requestId}`)
    expect(mermaid).toContain('A->>S: 0 s create-checkout-order')
    expect(await client.orders.sequence(created.requestId, 'svg')).toMatch(/^<svg xmlns=.*<\/svg>$/s)
    await expect(client.orders.sequence({ orderId: 'none' })).rejects.toMatchObject({ code: 'order_unknown' })
  })

  test('that are not there are refused, with whose they would be', async () => {
    const client = await emulator().createClient()
    const missing = client.orders.get('none')
    await expect(missing).rejects.toThrow(ControlCallRefused)
    await expect(missing).rejects.toThrow(
      `The client ${client.clientId} has no order under the requestId "none"`,
    )
    await expect(client.orders.get({ orderId: 'none' })).rejects.toMatchObject({ code: 'order_unknown' })
  })

  test.each<[string, object | undefined]>([
    ['a misspelt member', { requestID: 'r1' }],
    ['a member that is not set', { requestId: undefined }],
    ['an orderId that is not set', { orderId: undefined }],
    ['nothing', undefined],
  ])('are not found, paid or looked up by %s', async (_, name) => {
    const client = await emulator().createClient({ defaultScenario: 'payer-decides' })
    const order = await client.createCheckoutOrder()
    const { orders } = client
    for (const call of [orders.get, orders.pay, orders.refund, client.fiatOrders, client.fiatRefunds])
      await expect(Reflect.apply(call, call.name in orders ? orders : client, [name])).rejects.toThrow(
        'Expected a requestId, or an object with a requestId or an orderId',
      )
    expect(await orders.get(order)).toMatchObject({ orderStatus: 'CREATED', refunds: [] })
  })

  test('are not found by a requestId that only looks like a pattern', async () => {
    const client = await emulator().createClient()
    await client.orders.make({ requestId: 'r-1' })
    await expect(client.orders.get('r-*')).rejects.toMatchObject({ code: 'order_unknown' })
    await client.orders.make({ requestId: 'r-*' })
    expect(await client.orders.get('r-*')).toMatchObject({ requestId: 'r-*' })
  })

  test('of others are not seen', async () => {
    const [one, two] = [await emulator().createClient(), await emulator().createClient()]
    const { requestId } = await one.createCheckoutOrder()
    await expect(two.orders.get(requestId)).rejects.toMatchObject({ status: 404 })
    expect((await emulator().orders.get(requestId)).clientId).toBe(one.clientId)
  })

  test('are listed by members, numbers too, in pages of which nobody sees anything', async () => {
    const client = await emulator().createClient()
    const requestIds = Array.from({ length: 5 }, (_, index) => `r${index}`)
    for (const requestId of requestIds) await client.orders.make({ requestId })
    const all = await client.orders.list({ charge: 1, requestId: 'r*' })
    expect(all.map(({ requestId }) => requestId)).toEqual(requestIds)
    const [newest, ...others] = await client.orders.list({ order: 'newest', limit: 1 })
    expect([newest?.requestId, others]).toEqual(['r4', []])
  })

  test('are not listed by a name that none has: a typo is no answer', async () => {
    const client = await emulator().createClient()
    const typo = Object.fromEntries([['orderstatus', 'FAILED']])
    await expect(client.orders.list(typo)).rejects.toThrow(/did you mean `orderStatus`/)
  })

  test('are paid, declined with a code, or left', async () => {
    const client = await emulator().createClient({ defaultScenario: 'payer-decides' })
    const declined = await client.createCheckoutOrder()
    await client.orders.pay(declined, 'failed', { errorCode: '9004' })
    await client.clock.advance('1m')
    expect(await client.orders.get(declined)).toMatchObject({ errorReason: { errorCode: '9004' } })
    await expect(client.orders.pay(declined)).rejects.toThrow(ControlCallRefused)
  })

  test('are refunded only once they are paid', async () => {
    const client = await emulator().createClient()
    const order = await client.createCheckoutOrder({ fiatAmount: '10.00' })
    const refund = { fiatAmount: '4.00' }
    await expect(client.orders.refund(order, refund)).rejects.toThrow(ControlCallRefused)
    await client.clock.advance('1m')
    await client.orders.refund(order, refund)
    expect((await client.fiatRefunds(order.requestId)).data).toMatchObject([{ fiatAmount: '4.00' }])
  })
})

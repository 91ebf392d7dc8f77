import { expect, test } from 'vitest'
import { startReceiver } from '../support/receiver.ts'
import { inEachForm } from './support/forms.ts'

inEachForm('deliveries', (emulator) => {
  test('are held back, let go, and sent again', async () => {
    const receiver = await startReceiver()
    const client = await emulator().createClient({ webhookUrl: receiver.url })
    await client.deliveries.hold({ orderStatus: 'CREATED' })
    const { requestId } = await client.createCheckoutOrder()
    await client.clock.settle()
    const [held] = await client.deliveries.list({ requestId, status: 'held' })
    expect(await client.deliveries.release()).toBe(1)
    const delivered = await client.waitFor('delivery', { requestId, status: 'delivered' })
    expect(delivered.id).toBe(held?.id)
    await client.deliveries.resend(delivered.id)
    expect((await receiver.received(2)).map(({ json }) => json.orderStatus)).toEqual(['CREATED', 'CREATED'])
  })

  test('that nobody takes are refused where there is nowhere to send them', async () => {
    const client = await emulator().createClient()
    await expect(client.deliveries.send({ body: {} })).rejects.toThrow(/webhook URL/)
    await expect(client.deliveries.get('del_none')).rejects.toMatchObject({ status: 404 })
  })
})

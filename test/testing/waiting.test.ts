import { expect, test } from 'vitest'
import { startReceiver } from '../support/receiver.ts'
import { inEachForm } from './support/forms.ts'

inEachForm('waiting', (emulator) => {
  test('in vain says what came nearest', async () => {
    const client = await emulator().createClient()
    const { requestId } = await client.createCheckoutOrder()
    const vain = client.waitFor('order', { requestId, orderStatus: 'FAILED' }, { timeoutMs: 0 })
    await expect(vain).rejects.toMatchObject({
      code: 'wait_timed_out',
      nearest: [{ requestId, differs: [{ member: 'orderStatus', wanted: 'FAILED', found: 'CREATED' }] }],
    })
  })

  test('ends the moment a webhook is delivered', async () => {
    const receiver = await startReceiver()
    const client = await emulator().createClient({ webhookUrl: receiver.url })
    const waiting = client.waitFor('delivery', { orderStatus: 'CREATED', 'attempts.0.status': 200 })
    await client.createCheckoutOrder({ requestId: 'r1' })
    expect(await waiting).toMatchObject({ requestId: 'r1', status: 'delivered' })
  })
})

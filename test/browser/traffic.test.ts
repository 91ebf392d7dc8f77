import { expect, test } from 'vitest'
import { startTestEmulator } from '../support/emulator.ts'
import { startReceiver } from '../support/receiver.ts'
import { violationsIn } from './support/accessible.ts'
import { visit } from './support/visit.ts'

test('a webhook and a refused call appear by themselves while somebody looks, and lead to pages without a flaw', async () => {
  const emulator = await startTestEmulator()
  const { url } = await startReceiver()
  const client = await emulator.addClient({ webhookUrl: url })
  const webhooks = await visit(emulator, `/_emulator/ui/deliveries?clientId=${client.clientId}`)
  const requests = await visit(emulator, `/_emulator/ui/requests?clientId=${client.clientId}`)
  await client.createCheckout('r-good')
  await client.createCheckout('r-bad', { signed: 'fiatAmount=10&requestId=r-bad' })
  await client.settle()
  await webhooks.getByRole('link', { name: 'r-good' }).click()
  await requests.getByText('signature.amount-spelling').waitFor()
  await requests.getByRole('link', { name: 'POST /v1/client/checkout/create-order' }).first().click()
  await webhooks.getByText('The signature is valid').waitFor()
  await requests.getByText('First difference between the strings').waitFor()
  expect(await violationsIn(webhooks)).toEqual([])
  expect(await violationsIn(requests)).toEqual([])
})

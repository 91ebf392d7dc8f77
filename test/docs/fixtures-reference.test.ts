import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { TestClient } from '../support/client.ts'
import { startTestEmulator } from '../support/emulator.ts'
import { aFolder } from '../support/folder.ts'
import { startReceiver } from '../support/receiver.ts'

const document = readFileSync('docs/reference/fixtures.md', 'utf8')
const example = /^```yaml\n([\s\S]*?)^```/m.exec(document)?.[1] ?? ''

test('the example of docs/reference/fixtures.md is what its comments say', async () => {
  const receiver = await startReceiver()
  const file = join(aFolder(), 'world.yaml')
  writeFileSync(file, example.replace('http://127.0.0.1:3000/webhooks', receiver.url))
  const emulator = await startTestEmulator({ fixtures: [file] })
  const secrets = { apiSecret: 'shop-secret', accessToken: 'shop-token', webhookSecret: '' }
  const shop = new TestClient(emulator, { clientId: 'shop', ...secrets })
  const statusOf = async (requestId: string) =>
    (await shop.fiatOrders(requestId)).data.map((each) => each.orderStatus)

  expect((await shop.createCheckout('order-5')).status).toBe(200)
  expect(await statusOf('order-1')).toEqual(['COMPLETED'])
  expect((await shop.refunds('order-1')).record).toMatchObject({ fiatAmount: '30.00' })
  expect((await shop.fiatOrders('order-2')).record).toMatchObject({ errorReason: { errorCode: '9005' } })
  expect(await statusOf('paper')).toEqual(['COMPLETED', 'FAILED', 'COMPLETED'])
  expect(await statusOf('order-3')).toEqual(['CREATED'])
  await shop.advance('2s')
  expect(await statusOf('order-3')).toEqual(['COMPLETED'])
  await shop.advance('58s')
  expect(receiver.requests.map(({ json }) => `${json.requestId} ${json.orderStatus}`)).toEqual([
    'order-5 CREATED',
    'order-3 COMPLETED',
    'order-5 COMPLETED',
    'order-4 COMPLETED',
  ])
  const { transitions } = await shop.advance('14d')
  expect(transitions.map(({ requestId, at }) => `${requestId} ${new Date(at).toISOString()}`)).toEqual([
    'paper 2026-03-15T09:00:00.000Z',
    'paper 2026-03-15T09:00:00.000Z',
  ])
})

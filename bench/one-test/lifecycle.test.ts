import { afterAll, expect, test } from 'vitest'

const file = new URL('../../dist/index.js', import.meta.url).href
const { startEmulator }: typeof import('../../src/index.ts') = await import(file)
const emulator = await startEmulator({ listen: false, clock: 'manual' })
afterAll(() => emulator.close())

test.each(Array.from({ length: 200 }, (_, n) => n))('order %i is paid', async () => {
  const client = await emulator.createClient()
  const inbox = await emulator.webhookInbox(client)
  const { requestId } = await client.createCheckoutOrder({ fiatAmount: '10.00', email: 'ana@example.com' })
  await client.clock.advance('10m')
  const { event } = await inbox.next({ requestId, orderStatus: 'COMPLETED' })
  expect(event.orderStatus).toBe('COMPLETED')
  expect(await client.fiatOrders(requestId)).toMatchObject([{ orderStatus: 'COMPLETED' }])
})

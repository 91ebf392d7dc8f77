import { startEmulator, type TestClient, type TestEmulator } from 'payment-order-emulator'
import { ConformTests } from 'payment-order-emulator/conform'
import { afterAll, beforeAll, test } from 'vitest'
import { openShop } from './open-shop.ts'

let emulator: TestEmulator
let client: TestClient
let shop: Awaited<ReturnType<typeof openShop>>

beforeAll(async () => {
  emulator = await startEmulator()
  client = await emulator.createClient()
  shop = await openShop({ ...client.env, PAYMENT_ORDER_TIME_LIMIT_MS: '1000' }, '127.0.0.1')
})

const conformance = new ConformTests(() => ({
  emulator,
  config: {
    client: client.clientId,
    webhookUrl: `http://127.0.0.1:${shop.port}/webhooks`,
    webhookSignature: 'standard',
    start: async () => (await shop.buy()).id,
    probe: async (id) => {
      const { state, parcels } = await shop.purchase(id)
      const status = { waiting: 'CREATED', shipped: 'COMPLETED', declined: 'FAILED' } as const
      return { status: status[state], effects: parcels }
    },
    reconcile: () => shop.reconcile(),
  },
}))

test.for(conformance.cases)('$id $title', { timeout: 60_000 }, async ({ id }, { skip }) => {
  const { verdict, note } = await conformance.check(id)
  skip(verdict === 'NOT-SEEN', note ?? undefined)
})

afterAll(async () => {
  await conformance.close()
  shop.close()
  await emulator.close()
})

import { join } from 'node:path'
import { startEmulator, type TestClient, type TestEmulator } from 'payment-order-emulator'
import { StoryTests } from 'payment-order-emulator/conform'
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

/** Stories that `explore` has found. Each broke an earlier version of the shop. */
const stories = new StoryTests(
  () => ({
    emulator,
    config: {
      client: client.clientId,
      webhookUrl: `http://127.0.0.1:${shop.port}/webhooks`,
      webhookSignature: 'standard',
      // The shop answers a webhook only when it has acted on it.
      settle: '100ms',
      start: async () => (await shop.buy()).id,
      probe: async (id) => {
        const { state, parcels } = await shop.purchase(id)
        const status = { waiting: 'CREATED', shipped: 'COMPLETED', declined: 'FAILED' } as const
        return { status: status[state], effects: parcels }
      },
      reconcile: () => shop.reconcile(),
    },
  }),
  { folder: join(import.meta.dirname, '../found') },
)

test.for(stories.stories)('$name', { timeout: 60_000 }, async ({ name }, { skip }) => {
  const { verdict, note } = await stories.check(name)
  skip(verdict === 'NOT-SEEN', note ?? undefined)
})

afterAll(async () => {
  await stories.close()
  shop.close()
  await emulator.close()
})

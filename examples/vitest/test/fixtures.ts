import { connectEmulator, startEmulator } from 'payment-order-emulator'
import { test as base } from 'vitest'
import { openShop } from './open-shop.ts'

/** An emulator that runs elsewhere, and under which name it finds this process: in a container, 127.0.0.1 would be the
 *  container itself. With neither, it runs in this process. The tests do not differ. */
const { EMULATOR_URL, WEBHOOK_HOST } = process.env

/** A test with a client and a shop of its own: a world in which nothing happens but what the test does. */
export const test = base
  // One for all tests of a worker, for clients are apart from each other anyway.
  .extend('emulator', { scope: 'worker' }, async ({}, { onCleanup }) => {
    const emulator = EMULATOR_URL ? await connectEmulator(EMULATOR_URL) : await startEmulator()
    onCleanup(() => emulator.close())
    return emulator
  })
  .extend('client', async ({ emulator }, { onCleanup }) => {
    const client = await emulator.createClient({ clock: { mode: 'manual' } })
    onCleanup(() => client.remove())
    return client
  })
  .extend('timeLimitMs', 10_000)
  .extend('shop', async ({ client, timeLimitMs }, { onCleanup }) => {
    const env = { ...client.env, PAYMENT_ORDER_TIME_LIMIT_MS: String(timeLimitMs) }
    const shop = await openShop(env, WEBHOOK_HOST ? '0.0.0.0' : '127.0.0.1')
    onCleanup(() => shop.close())
    await client.setWebhookUrl(`http://${WEBHOOK_HOST || '127.0.0.1'}:${shop.port}/webhooks`)
    return shop
  })

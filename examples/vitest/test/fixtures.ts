import { startEmulator } from 'payment-order-emulator'
import { test as base } from 'vitest'
import { openShop } from './open-shop.ts'

/** A test with a client and a shop of its own: a world in which nothing happens but what the test does. */
export const test = base
  // One for all tests of a worker, for clients are apart from each other anyway.
  .extend('emulator', { scope: 'worker' }, async ({}, { onCleanup }) => {
    const emulator = await startEmulator({ clock: 'manual' })
    onCleanup(() => emulator.close())
    return emulator
  })
  .extend('client', ({ emulator }) => emulator.createClient())
  .extend('timeLimitMs', 10_000)
  .extend('shop', async ({ client, timeLimitMs }, { onCleanup }) => {
    const shop = await openShop({ ...client.env, PAYMENT_ORDER_TIME_LIMIT_MS: String(timeLimitMs) })
    onCleanup(() => shop.close())
    await client.setWebhookUrl(`${shop.url}/webhooks`)
    return shop
  })

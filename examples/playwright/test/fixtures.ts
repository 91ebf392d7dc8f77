import { once } from 'node:events'
import { test as base } from '@playwright/test'
import { startEmulator, type TestClient, type TestEmulator } from 'payment-order-emulator'
import { accountFrom } from '../src/account.ts'
import { createShop } from '../src/shop.ts'

/** A test with a client and a shop of its own. Its pages are the shop's: `page.goto('/')`. */
export const test = base.extend<{ client: TestClient; shopUrl: string }, { emulator: TestEmulator }>({
  // One for all tests of a worker, for clients are apart from each other anyway.
  emulator: [
    async ({}, use) => {
      const emulator = await startEmulator({ clock: 'manual' })
      await use(emulator)
      await emulator.close()
    },
    { scope: 'worker' },
  ],
  client: async ({ emulator }, use) => {
    await use(await emulator.createClient())
  },
  shopUrl: async ({ client }, use) => {
    const server = createShop(accountFrom(client.env)).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const address = server.address()
    await use(`http://127.0.0.1:${typeof address === 'object' && address?.port}`)
    server.close()
    server.closeAllConnections()
  },
  baseURL: async ({ shopUrl }, use) => {
    await use(shopUrl)
  },
})

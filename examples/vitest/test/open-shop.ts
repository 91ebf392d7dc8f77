import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import { getRequestListener } from '@hono/node-server'
import { z } from 'zod'
import { shopOptions } from '../src/options.ts'
import { purchase } from '../src/purchases.ts'
import { createShop } from '../src/shop.ts'

const opened = z.object({ id: z.string(), paymentToken: z.string().nullable() })

/** Opens a shop on a free port, and gives it as its customers see it.
 *  @param env its environment variables
 *  @param host where it listens */
export async function openShop(env: Record<string, string>, host: string) {
  const shop = createShop(shopOptions(env))
  const server = createServer(getRequestListener(shop.app.fetch))
  await new Promise<void>((listening) => server.listen(0, host, listening))
  const address = server.address()
  const port = typeof address === 'object' && address?.port
  const url = `http://127.0.0.1:${port}`

  const ask = async (method: string, id: string, body?: string): Promise<unknown> => {
    const headers = { 'content-type': 'application/json' }
    const response = await fetch(`${url}/purchases/${id}`, { method, headers, ...(body && { body }) })
    if (!response.ok) throw new Error(`The shop answered ${response.status} ${await response.text()}`)
    return response.json()
  }

  return {
    port,
    /** Buys a mug. The same id again is the same purchase. */
    buy: async (id: string = randomUUID()) =>
      opened.parse(await ask('PUT', id, JSON.stringify({ item: 'mug', email: 'buyer@example.com' }))),
    purchase: async (id: string) => purchase.parse(await ask('GET', id)),
    reconcile: shop.reconcile,
    close: () => {
      server.close()
      server.closeAllConnections()
      shop.close()
    },
  }
}

import { createServer } from 'node:http'
import { getRequestListener } from '@hono/node-server'
import type { ConformConfig, ProbeCall, StartCall } from '../../../src/conform/index.ts'
import type { TestEmulator } from '../../../src/index.ts'
import { ModelShop } from './model-shop.ts'

/** A replacement for the shop's answer; null for the shop's own answer. */
export type Instead = (path: string, shop: ModelShop) => Response | Promise<Response | null> | null

/** A model shop that is reached over HTTP, at a port of its own, with a client of its own. */
export interface WebShop {
  readonly url: string
  readonly shop: ModelShop
  /** As a file would configure it. */
  readonly config: ConformConfig & { readonly start: StartCall; readonly probe: ProbeCall }
  close(): void
}

/** Opens one. @param instead what it does otherwise than a model shop */
export async function webShop(emulator: TestEmulator, instead: Instead = () => null): Promise<WebShop> {
  const client = await emulator.createClient()
  const shop = new ModelShop(client, emulator.fetch)
  const listener = getRequestListener(async (request) => {
    const { pathname } = new URL(request.url)
    return (await instead(pathname, shop)) ?? answered(pathname, request, shop)
  })
  const server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (typeof address !== 'object' || address === null) throw new Error('the shop has no port')
  const url = `http://127.0.0.1:${address.port}`
  return {
    url,
    shop,
    config: {
      client: client.clientId,
      webhookUrl: `${url}/webhooks`,
      start: { url: `${url}/orders`, body: { mug: '{unique}' }, requestId: '/order/id' },
      probe: {
        url: `${url}/orders/{requestId}`,
        status: '/order/status',
        statuses: { CREATED: 'waiting', COMPLETED: 'paid', FAILED: ['declined'] },
        effects: '/order/parcels',
      },
      settle: '50ms',
      patience: '150ms',
      polling: '150ms',
    },
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}

async function answered(path: string, request: Request, shop: ModelShop): Promise<Response> {
  if (path === '/webhooks') return shop.webhook(request)
  if (path === '/orders')
    return Response.json({ order: { id: await shop.buy({ text: '' }) } }, { status: 201 })
  const purchase = shop.purchases.get(path.replace('/orders/', ''))
  if (purchase === undefined) return new Response('no such order', { status: 404 })
  return Response.json({ order: { status: purchase.state, parcels: purchase.parcels } })
}

import { serve } from '@hono/node-server'
import { shopOptions } from './options.ts'
import { createShop } from './shop.ts'

const fiveMinutesMs = 5 * 60_000

const shop = createShop(shopOptions(process.env))
serve({ fetch: shop.app.fetch, hostname: '127.0.0.1', port: Number(process.env.PORT ?? 3000) }, ({ port }) =>
  console.log(`The shop is open: http://127.0.0.1:${port}`),
)
setInterval(() => shop.reconcile().catch(console.error), fiveMinutesMs)

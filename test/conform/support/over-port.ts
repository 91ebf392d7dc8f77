import { once } from 'node:events'
import { createServer } from 'node:http'
import { onTestFinished } from 'vitest'
import { freePort } from '../../../tools/free-port.ts'
import type { ModelShop } from './model-shop.ts'

/** A shop that is asked for its orders over a port, which closes when it dies. */
export async function overPort(shop: ModelShop) {
  const server = createServer((request, response) => {
    response.end(JSON.stringify(shop.show(request.url?.slice(1) ?? '')))
  })
  const port = await freePort()
  const listen = () => once(server.listen(port, '127.0.0.1'), 'listening')
  await listen()
  onTestFinished(() => void server.close())
  const statuses = { CREATED: 'CREATED', COMPLETED: 'COMPLETED', FAILED: 'FAILED' }
  const url = `http://127.0.0.1:${port}/{requestId}`
  return {
    config: { ...shop.config, probe: { url, status: '/status', statuses, effects: '/effects' } },
    die: () => {
      server.close()
      server.closeAllConnections()
    },
    rise: listen,
  }
}

import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { closeAtOnce, portOf, readPosted } from '../../http/node-http.ts'
import { InboxNotOpened } from '../errors.ts'
import type { OpenEndpoint, Receive } from './endpoint.ts'
import { type InboxOptions, inUrl } from './options.ts'

/** Opens an endpoint that is a small HTTP server.
 *  @throws InboxNotOpened */
export function httpEndpoint({
  host = '127.0.0.1',
  port = 0,
  path = '/webhooks',
}: InboxOptions = {}): OpenEndpoint {
  return async (receive) => {
    const server = createServer((request, response) => {
      // A request that breaks off counts as never received.
      serve(request, response, receive).catch(() => response.destroy())
    })
    await listen(server, { port, ...(isLoopback(host) ? { host: host.replaceAll(/[[\]]/g, '') } : {}) })
    const url = `http://${inUrl(host)}:${portOf(server)}${path.startsWith('/') ? '' : '/'}${path}`
    return { url, close: () => closeAtOnce(server) }
  }
}

const isLoopback = (host: string): boolean => /^(localhost|127(\.\d+){3}|::1|\[::1\])$/i.test(host)

async function serve(request: IncomingMessage, response: ServerResponse, receive: Receive): Promise<void> {
  if (request.method !== 'POST') return refuse(response, 405, 'This URL accepts webhooks by POST.')
  const posted = await readPosted(request)
  if (posted === null) return refuse(response, 413, 'The body is larger than 1 MiB.')
  const answer = await receive(posted)
  if (answer === 'hang') return
  if (answer === 'reset') {
    request.socket.resetAndDestroy()
    return
  }
  response.writeHead(answer.status, answer.headers).end(answer.body)
}

function refuse(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, { 'content-type': 'text/plain', allow: 'POST', connection: 'close' }).end(text)
}

function listen(server: Server, where: { port: number; host?: string }): Promise<void> {
  return new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(where, resolve)
  }).catch((error: Error) => {
    const message = `The webhook inbox cannot listen: ${error.message}. Leave out \`port\` to get a free one.`
    throw new InboxNotOpened(message, { cause: error })
  })
}

import { createHmac } from 'node:crypto'
import { createServer } from 'node:http'

/** A webhook as a world's own receiver got it. */
export interface Webhook {
  readonly path: string
  readonly id: string
  readonly body: string
  /** Whether the world's own secret signed it. */
  readonly isSigned: boolean
}

/** A receiver of one world, on a port of its own.
 *  @param refuses the requestIds of which it refuses everything */
export async function startOwnReceiver(webhookSecret: string, refuses: ReadonlySet<string>) {
  const webhooks: Webhook[] = []
  const key = Buffer.from(webhookSecret.replace(/^whsec_/, ''), 'base64')
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('error', () => undefined)
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString()
      const { 'webhook-id': id, 'webhook-timestamp': at, 'webhook-signature': signed } = request.headers
      const right = createHmac('sha256', key).update(`${id}.${at}.${body}`).digest('base64')
      webhooks.push({ path: request.url ?? '', id: String(id), body, isSigned: signed === `v1,${right}` })
      response.writeHead(refuses.has(memberOf(body, 'requestId')) ? 500 : 200).end()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : undefined
  return {
    url: `http://127.0.0.1:${port}`,
    webhooks,
    close: () => {
      server.close()
      server.closeAllConnections()
    },
  }
}

/** A member of a webhook's body, whichever format it has. */
export const memberOf = (body: string, name: string): string =>
  new RegExp(`"${name}":"([^"]*)"`).exec(body)?.[1] ?? ''

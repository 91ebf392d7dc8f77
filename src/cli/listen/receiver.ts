import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { closeAtOnce, portOf, readPosted } from '../../http/node-http.ts'
import { wallNow } from '../../time/wall.ts'
import { type Secrets, signatureProblem } from '../../webhooks/signature-problem.ts'
import { cannotListen } from '../serve/hold-port.ts'
import { forward } from './forward.ts'
import type { ListenOptions } from './options.ts'
import { otherClients } from './other-clients.ts'
import type { Received } from './received.ts'

const host = '127.0.0.1'

/** A listener on its port. */
export interface Receiver {
  readonly url: string
  close(): Promise<void>
}

/** What a webhook is received with. */
export interface Receiving {
  readonly options: Pick<ListenOptions, 'port' | 'clientId' | 'answer' | 'forward'>
  /** The client's, once it is known. */
  readonly secrets: Promise<Secrets>
  readonly onReceived: (received: Received) => void
}

/** Opens the port and answers webhooks. @throws GiveUp if the port cannot be had */
export async function openReceiver(receiving: Receiving): Promise<Receiver> {
  const { port } = receiving.options
  const server = createServer((request, response) => {
    receive(request, response, receiving).catch(() => response.destroy())
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) => reject(cannotListen(error, host, port)))
    server.listen({ port, host }, resolve)
  })
  return { url: `http://${host}:${portOf(server)}/`, close: () => closeAtOnce(server) }
}

async function receive(
  request: IncomingMessage,
  response: ServerResponse,
  { options, secrets, onReceived }: Receiving,
): Promise<void> {
  if (request.method !== 'POST')
    return answer(response, 405, 'This URL accepts webhooks by POST.', { allow: 'POST' })
  const posted = await readPosted(request)
  if (posted === null) return answer(response, 413, 'The body is larger than 1 MiB.', { connection: 'close' })
  const at = wallNow()
  const { headers, bytes } = posted
  const body = bytes.toString('utf8')
  const problem = signatureProblem(body, headers, await secrets)
  const forwarding = options.forward === null ? null : await forward(options.forward, bytes, headers)
  const status = forwarding?.status ?? options.answer
  answer(response, status, '')
  onReceived({
    at,
    body,
    headers,
    signatureProblem: problem && (otherClients(body, options.clientId) ?? problem.words),
    answered: status,
    forwarded:
      forwarding === null || options.forward === null
        ? null
        : { url: options.forward, error: forwarding.error },
  })
}

function answer(
  response: ServerResponse,
  status: number,
  text: string,
  headers: Readonly<Record<string, string>> = {},
): void {
  response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8', ...headers }).end(text)
}

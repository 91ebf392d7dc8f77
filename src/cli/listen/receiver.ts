import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { Pool } from 'undici'
import { painter } from '../../conform/report/terminal-style.ts'
import { oneLine } from '../../domain/text/issue-words.ts'
import { hasPortZero, isUrl, refusedUrl } from '../../domain/text/urls.ts'
import type { ReadEvent } from '../../domain/webhook/read-events.ts'
import { closeAtOnce, portOf, readPosted } from '../../http/node-http.ts'
import { wallNow } from '../../time/wall.ts'
import { lenientConnector } from '../../webhooks/connection-pool.ts'
import type { Incoming, Verdict } from '../../webhooks/verifier.ts'
import { CliError } from '../cli-error.ts'
import { causeOf } from '../control-call.ts'
import { emulatorUrl } from '../emulator-url.ts'
import { timeOf } from '../log/pretty-line.ts'
import { cannotListen } from '../serve/hold-port.ts'
import type { Environment } from '../terminal.ts'

/** The flags of `listen`. */
export interface ListenOptions {
  readonly port: number
  readonly clientId: string
  /** Whether to set the client's webhook URL. */
  readonly register: boolean
  readonly forward: string | null
  readonly answer: number
  /** The URL of the emulator. */
  readonly url: string
  readonly controlToken: string | null
  readonly json: boolean
}

/** Reads the flags of `listen`.
 *  @throws CliError */
export function readListenOptions(flags: Readonly<Record<string, unknown>>, env: Environment): ListenOptions {
  return {
    port: wholeNumber(flags.port, '--port', 0, 65_535) ?? 4601,
    clientId: textOf(flags.client) ?? (env.EMULATOR_CLIENT_ID || 'demo-client'),
    register: flags.register !== false,
    forward: forwardUrl(flags.forward),
    answer: wholeNumber(flags.answer, '--answer', 200, 599) ?? 200,
    url: emulatorUrl(flags.url, env),
    controlToken: textOf(flags.controlToken) ?? (env.EMULATOR_CONTROL_TOKEN || null),
    json: flags.json === true,
  }
}

const textOf = (flag: unknown) => (typeof flag === 'string' ? flag : undefined)

function wholeNumber(flag: unknown, name: string, least: number, most: number): number | undefined {
  if (typeof flag !== 'string') return undefined
  const number = /^\d{1,5}$/.test(flag) ? Number(flag) : -1
  if (number >= least && number <= most) return number
  throw new CliError(
    2,
    `error: ${name}: expected a whole number from ${least} to ${most}, not ${JSON.stringify(flag)}`,
  )
}

function forwardUrl(flag: unknown): string | null {
  if (typeof flag !== 'string') return null
  if (/^https?:\/\/[^/]/i.test(flag) && isUrl(flag) && !hasPortZero(flag)) return flag
  throw new CliError(
    2,
    `error: --forward: expected a URL like http://127.0.0.1:3000/webhook${refusedUrl(flag)}`,
  )
}

const patienceMs = 10_000
/** Headers of the connection, which are not forwarded. */
const notPassedOn = new Set([
  'host',
  'connection',
  'keep-alive',
  'transfer-encoding',
  'content-length',
  'expect',
  'upgrade',
  'te',
  'trailer',
])

/** Forwards a webhook with its bytes and headers unchanged.
 *  @returns the status of the answer, or 502 with the error */
async function forward(
  url: string,
  body: Buffer,
  headers: Readonly<Record<string, string>>,
  waitMs = patienceMs,
): Promise<{ status: number; error: string | null }> {
  const { origin, pathname, search } = new URL(url)
  const pool = new Pool(origin, { connect: lenientConnector() })
  try {
    const kept = Object.entries(headers).filter(([name]) => !notPassedOn.has(name))
    const { statusCode, body: answer } = await pool.request({
      path: `${pathname}${search}`,
      method: 'POST',
      headers: Object.fromEntries(kept),
      body,
      signal: AbortSignal.timeout(waitMs),
    })
    // The body is not read: the emulator only uses the status.
    void answer
      .dump()
      .catch(() => {})
      .then(() => pool.destroy())
    return { status: statusCode, error: null }
  } catch (error) {
    void pool.destroy()
    return { status: 502, error: causeOf(error) }
  }
}

const host = '127.0.0.1'

/** An open port that receives webhooks. */
export interface Receiver {
  readonly url: string
  close(): Promise<void>
}

/** The options for opening a receiver. */
export interface Receiving {
  readonly options: Pick<ListenOptions, 'port' | 'clientId' | 'answer' | 'forward'>
  /** Verifies a webhook of the client. */
  readonly verdict: (message: Incoming) => Promise<Verdict>
  /** Reads the events of a webhook. */
  readonly events: (body: string) => Promise<readonly ReadEvent[]>
  readonly onReceived: (received: Received) => void
}

/** Opens the port and answers webhooks.
 *  @throws CliError if the port cannot be opened */
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
  { options, verdict, events: read, onReceived }: Receiving,
): Promise<void> {
  if (request.method !== 'POST')
    return answer(response, 405, 'This URL accepts webhooks by POST.', { allow: 'POST' })
  const posted = await readPosted(request)
  if (posted === null) return answer(response, 413, 'The body is larger than 1 MiB.', { connection: 'close' })
  const at = wallNow()
  const { headers, bytes } = posted
  const body = bytes.toString('utf8')
  const events = await read(body)
  const message = { body, headers, clientId: options.clientId, requestId: events[0]?.requestId }
  const { problem, webhookId, signedAt } = await verdict(message)
  const forwarding = options.forward === null ? null : await forward(options.forward, bytes, headers)
  const status = forwarding?.status ?? options.answer
  answer(response, status, '')
  onReceived({
    at,
    body,
    events,
    webhookId,
    signedAt,
    signatureProblem: problem && (otherClients(events, options.clientId) ?? problem.words),
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

/** The reason for an invalid signature if the webhook belongs to another client, worded to follow "signature".
 *  @returns null if the webhook names no other client */
function otherClients([event]: readonly ReadEvent[], clientId: string): string | null {
  const owner = event?.clientId
  if (owner === undefined || owner === clientId) return null
  const name = oneLine(owner, 120)
  return `not checked: this webhook belongs to ${name}, and this listener verifies for ${oneLine(clientId, 120)} (use \`listen --client ${name}\`)`
}

/** A received webhook, with the result of its check and of forwarding. */
export interface Received {
  /** The wall-clock time at which the webhook arrived. */
  readonly at: number
  readonly body: string
  /** The events in the body, in the emulator's own words. */
  readonly events: readonly ReadEvent[]
  /** The id of the webhook; null if the headers have none. */
  readonly webhookId: string | null
  /** The time of its signature, in epoch milliseconds; null if the headers have none. */
  readonly signedAt: number | null
  /** The problem with the webhook's signature; null if it is valid. */
  readonly signatureProblem: string | null
  /** The HTTP status with which `listen` answered the webhook. */
  readonly answered: number
  /** The result of forwarding the webhook; null without `--forward`. */
  readonly forwarded: { readonly url: string; readonly error: string | null } | null
}

/** A webhook of several events, once for each of them. */
export const eachEvent = (received: Received): readonly Received[] =>
  received.events.length < 2 ? [received] : received.events.map((event) => ({ ...received, events: [event] }))

/** Formats a received webhook as one line, by its first event. */
export function receivedLine(received: Received, colours = false): string {
  const paint = painter(colours)
  const { at, signatureProblem, answered, forwarded } = received
  const { orderStatus, errorCode, requestId } = received.events[0] ?? {}
  const sentAt = sentAtOf(received)
  const event = oneLine(
    [orderStatus ?? 'webhook', errorCode].filter((word) => word !== undefined).join(' '),
    120,
  )
  const signature = paint(
    signatureProblem === null ? 'green' : 'red',
    `signature ${oneLine(signatureProblem ?? 'ok', 500)}`,
  )
  const sent = sentAt === null ? '' : `, sent at ${sentAt}`
  const whose = oneLine(requestId ?? '(no requestId)', 120)
  return `${paint('dim', timeOf(at))} ${paint('bold', event)} ${whose} ${signature}${sent}${oneLine(outcome(answered, forwarded))}`
}

/** Formats a received webhook as a JSON object. */
export function receivedRecord(received: Received): Readonly<Record<string, unknown>> {
  const { at, webhookId, signatureProblem, answered, forwarded } = received
  const { orderStatus, errorCode, requestId } = received.events[0] ?? {}
  return {
    event: 'webhook',
    time: new Date(at).toISOString(),
    orderStatus,
    errorCode,
    requestId,
    signature: signatureProblem ?? 'ok',
    webhookId: webhookId ?? undefined,
    sentAt: sentAtOf(received) ?? undefined,
    answered,
    ...(forwarded === null ? {} : { forwarded }),
    body: received.body,
  }
}

function outcome(answered: number, forwarded: Received['forwarded']): string {
  if (forwarded === null) return answered === 200 ? '' : `, answered ${answered}`
  const { url, error } = forwarded
  return error === null ? ` -> ${url} ${answered}` : ` -> ${url} ${error}, answered ${answered}`
}

/** The time at which the received attempt was signed. */
function sentAtOf({ signedAt }: Received): string | null {
  const isMoment = signedAt !== null && signedAt > 0 && signedAt < 1e14
  return isMoment ? new Date(signedAt).toISOString().replace('.000Z', 'Z') : null
}

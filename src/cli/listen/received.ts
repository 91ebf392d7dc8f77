import { oneLine } from '../log/one-line.ts'
import { timeOf } from '../log/pretty-line.ts'

/** A webhook that came in, and what was done with it. */
export interface Received {
  /** Wall time of its arrival. */
  readonly at: number
  readonly body: string
  readonly headers: Readonly<Record<string, string>>
  /** Null: the signature is right. */
  readonly signatureProblem: string | null
  /** The HTTP status it was answered with. */
  readonly answered: number
  /** How forwarding went; null without `--forward`. */
  readonly forwarded: { readonly url: string; readonly error: string | null } | null
}

/** A received webhook as one line for people. */
export function receivedLine(received: Received): string {
  const { at, signatureProblem, answered, forwarded } = received
  const { orderStatus, errorCode, requestId } = toldIn(received.body)
  const sentAt = sentAtOf(received)
  const words = [
    [orderStatus ?? 'webhook', errorCode].filter((word) => word !== undefined).join(' '),
    requestId ?? '(no requestId)',
    `signature ${signatureProblem ?? 'ok'}`,
  ].map((word) => oneLine(word, 120))
  const sent = sentAt === null ? '' : `, sent at ${sentAt}`
  return `${timeOf(at)} ${words.join(' ')}${sent}${oneLine(outcome(answered, forwarded))}`
}

/** A received webhook as one JSON object. */
export function receivedRecord(received: Received): Readonly<Record<string, unknown>> {
  const { at, headers, signatureProblem, answered, forwarded } = received
  const { orderStatus, errorCode, requestId } = toldIn(received.body)
  return {
    event: 'webhook',
    time: new Date(at).toISOString(),
    orderStatus,
    errorCode,
    requestId,
    signature: signatureProblem ?? 'ok',
    webhookId: headers['webhook-id'],
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

interface Told {
  readonly orderStatus: string | undefined
  readonly errorCode: string | undefined
  readonly requestId: string | undefined
}

/** What a payload tells, as far as it is one that we know. */
function toldIn(body: string): Told {
  const outer = asObject(parsed(body))
  const token = textIn(outer, 'payload')
  const event = token === undefined ? outer : asObject(parsed(claimsOf(token)))
  // In an envelope they stand one level down.
  const data = event.has('data') ? asObject(event.get('data')) : event
  return {
    orderStatus: textIn(data, 'orderStatus'),
    errorCode: textIn(event, 'errorCode') ?? textIn(asObject(event.get('error')), 'code'),
    requestId: textIn(event, 'requestId'),
  }
}

/** The middle part of a JWT; whether it is genuine is not looked at. */
const claimsOf = (token: string): string =>
  Buffer.from(token.split('.')[1] ?? '', 'base64url').toString('utf8')

function textIn(event: ReadonlyMap<string, unknown>, name: string): string | undefined {
  const value = event.get(name)
  return typeof value === 'string' ? value : undefined
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    return null
  }
}

const asObject = (value: unknown): ReadonlyMap<string, unknown> =>
  new Map(typeof value === 'object' && value !== null ? Object.entries(value) : [])

/** When this attempt was signed. */
function sentAtOf({ headers }: Received): string | null {
  const seconds = Number(headers['webhook-timestamp'])
  const isMoment = Number.isSafeInteger(seconds) && seconds > 0 && seconds < 1e11
  return isMoment ? new Date(seconds * 1_000).toISOString().replace('.000Z', 'Z') : null
}

import type { Secrets } from '../domain/webhook/signature-problem.ts'

/** The fields of a received webhook's body. */
interface ReceivedFields {
  readonly clientId: string | undefined
  readonly orderId: string | undefined
  readonly orderStatus: string | undefined
  readonly orderType: string | undefined
  readonly eventType: string | undefined
  readonly errorCode: string | undefined
  readonly requestId: string | undefined
}

/** Reads the fields of a payload, as far as its format is known. */
export function receivedFields(body: string): ReceivedFields {
  const token = tokenIn(body)
  const event = asObject(parsed(token === undefined ? body : claimsOf(token)))
  // In the envelope format, the fields are inside `data`.
  const data = event.has('data') ? asObject(event.get('data')) : event
  return {
    clientId: textIn(event, 'clientId'),
    orderId: textIn(data, 'orderId'),
    orderStatus: textIn(data, 'orderStatus'),
    orderType: textIn(data, 'orderType'),
    eventType: textIn(event, 'eventType') ?? textIn(event, 'type'),
    errorCode: textIn(event, 'errorCode') ?? textIn(asObject(event.get('error')), 'code'),
    requestId: textIn(event, 'requestId'),
  }
}

/** The token of a body in the format `jwt`, whatever its field is named; undefined for other bodies. */
function tokenIn(body: string): string | undefined {
  const outer = [...asObject(parsed(body)).values()]
  const [token] = outer
  return outer.length === 1 && typeof token === 'string' && isToken.test(token) ? token : undefined
}

const isToken = /^[\w-]+\.[\w-]+\.[\w-]*$/

/** The middle part of a JWT, without checking its signature. */
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

/** The secrets of a client, as the control API shows it, that are valid at present. */
export function validSecrets({
  webhookSecret,
  apiSecret,
  previousWebhookSecret,
  clock,
}: ShownClient): Secrets {
  const { secret, validUntil = 0 } = previousWebhookSecret ?? {}
  return { webhookSecret, apiSecret, previousSecret: clock.now < validUntil ? secret : undefined }
}

/** The fields of a client that decide about its secrets. */
interface ShownClient {
  readonly webhookSecret: string
  readonly apiSecret: string
  readonly previousWebhookSecret?: { readonly secret: string; readonly validUntil: number } | undefined
  readonly clock: { readonly now: number }
}

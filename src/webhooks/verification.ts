import { createHmac } from 'node:crypto'
import { Webhook } from 'standardwebhooks'
import { sameText, sign } from '../domain/webhook/signature.ts'

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

/** The token of a body in the format `jwt`; undefined for other bodies. */
function tokenIn(body: string): string | undefined {
  const outer = asObject(parsed(body))
  return outer.size === 1 ? textIn(outer, 'payload') : undefined
}

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

/** The keys with which a client's webhooks are signed. */
export interface Secrets {
  readonly webhookSecret: string
  /** The webhook secret before the last rotation, as long as it is valid (N70). */
  readonly previousSecret?: string | undefined
  /** The key for `webhook.auth: hmac-body`, and for tokens of `webhook.format: jwt`. */
  readonly apiSecret: string
}

/** Why the signature of a webhook is refused. */
export interface SignatureProblem {
  /** `time`: the signature may be right, but was not made within 5 minutes of now. */
  readonly kind: 'missing' | 'wrong' | 'time' | 'unreadable'
  /** Words that continue "signature ...". */
  readonly words: string
}

const hashes = new Map([
  ['HS256', 'sha256'],
  ['HS384', 'sha384'],
  ['HS512', 'sha512'],
])

type Headers = Readonly<Record<string, string>>

const problems = new Map<string, SignatureProblem>([
  [
    'Missing required headers',
    { kind: 'missing', words: 'missing: webhook-id, webhook-timestamp and webhook-signature are required' },
  ],
  [
    'No matching signature found',
    { kind: 'wrong', words: "wrong: it does not match the body and the client's webhookSecret" },
  ],
  [
    'Message timestamp too old',
    { kind: 'time', words: 'too old: webhook-timestamp is more than 5 minutes ago' },
  ],
  [
    'Message timestamp too new',
    { kind: 'time', words: 'not yet valid: webhook-timestamp is more than 5 minutes ahead' },
  ],
  [
    'Invalid Signature Headers',
    { kind: 'unreadable', words: 'unreadable: webhook-timestamp is not a number of seconds' },
  ],
])

/** Verifies a webhook like the published library, or as `hmac-body` if it only has the header `signature`. A token
 *  in its body is verified too.
 *  @param headers names in lower case
 *  @returns null if the signature is right */
export function signatureProblem(body: string, headers: Headers, secrets: Secrets): SignatureProblem | null {
  return headerProblem(body, headers, secrets) ?? tokenProblem(body, secrets.apiSecret)
}

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

/** Whether a Standard Webhooks signature is right, ignoring its age. */
export function fitsAtItsTime(
  body: string,
  headers: Headers,
  { webhookSecret, previousSecret }: Omit<Secrets, 'apiSecret'>,
): boolean {
  const signedAt = new Date(Number(headers['webhook-timestamp']) * 1_000)
  const sent = (headers['webhook-signature'] ?? '').split(' ')
  return [webhookSecret, previousSecret ?? []].flat().some((secret) => {
    const right = new Webhook(secret).sign(headers['webhook-id'] ?? '', signedAt, body)
    return sent.some((signature) => sameText(signature, right))
  })
}

/** Verifies the token of a body in the format `jwt`.
 *  @returns null if it is right, or if the body is no token */
export function tokenProblem(body: string, apiSecret: string): SignatureProblem | null {
  const token = tokenIn(body)
  if (token === undefined) return null
  const [head = '', claims = '', signature = ''] = token.split('.')
  const hash = hashes.get(algorithmIn(head))
  if (hash === undefined)
    return {
      kind: 'unreadable',
      words: 'unreadable: the token in the body is not a JWT with HS256, HS384 or HS512',
    }
  const right = createHmac(hash, apiSecret).update(`${head}.${claims}`).digest('base64url')
  return sameText(signature, right)
    ? null
    : { kind: 'wrong', words: "wrong: the token in the body does not match the client's apiSecret" }
}

function headerProblem(
  body: string,
  headers: Headers,
  { webhookSecret, previousSecret, apiSecret }: Secrets,
): SignatureProblem | null {
  const own = headers['webhook-signature'] === undefined ? headers.signature : undefined
  if (own !== undefined) {
    return sameText(own, sign(body, apiSecret))
      ? null
      : { kind: 'wrong', words: "wrong: it does not match the body and the client's apiSecret" }
  }
  const problem = standardProblem(body, headers, webhookSecret)
  return problem?.kind === 'wrong' && previousSecret !== undefined
    ? standardProblem(body, headers, previousSecret)
    : problem
}

function standardProblem(body: string, headers: Headers, webhookSecret: string): SignatureProblem | null {
  try {
    new Webhook(webhookSecret).verify(body, headers, { jsonParse: false })
    return null
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    return problems.get(message) ?? { kind: 'unreadable', words: `unreadable: ${message}` }
  }
}

function algorithmIn(head: string): string {
  try {
    return String(JSON.parse(Buffer.from(head, 'base64url').toString('utf8')).alg)
  } catch {
    return ''
  }
}

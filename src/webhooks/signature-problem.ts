import { createHmac } from 'node:crypto'
import { Webhook } from 'standardwebhooks'
import { sameText, sign } from '../domain/signature.ts'
import { tokenIn } from './told.ts'

/** What a client's webhooks are signed with. */
export interface Secrets {
  readonly webhookSecret: string
  /** For `webhook.auth: hmac-body`, and for the tokens of `webhook.format: jwt`. */
  readonly apiSecret: string
}

/** Why a signature is not taken for right. */
export interface SignatureProblem {
  /** `time`: it may fit, but was not made within 5 minutes of now. */
  readonly kind: 'missing' | 'wrong' | 'time' | 'unreadable'
  /** Words that go on from "signature". */
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

/** Verifies a webhook as the published library does; or, if it has the header `signature` alone, as `hmac-body`. A
 *  token in its body has to fit too.
 *  @param headers names in small letters
 *  @returns null if its signature is right */
export function signatureProblem(body: string, headers: Headers, secrets: Secrets): SignatureProblem | null {
  return headerProblem(body, headers, secrets) ?? tokenProblem(body, secrets.apiSecret)
}

/** Whether a Standard Webhooks signature fits, whenever it was made. */
export function fitsAtItsTime(body: string, headers: Headers, webhookSecret: string): boolean {
  const signedAt = new Date(Number(headers['webhook-timestamp']) * 1_000)
  const right = new Webhook(webhookSecret).sign(headers['webhook-id'] ?? '', signedAt, body)
  return (headers['webhook-signature'] ?? '').split(' ').some((signature) => sameText(signature, right))
}

/** Verifies the token that is the body in the format `jwt`.
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
  { webhookSecret, apiSecret }: Secrets,
): SignatureProblem | null {
  const own = headers['webhook-signature'] === undefined ? headers.signature : undefined
  if (own !== undefined) {
    return sameText(own, sign(body, apiSecret))
      ? null
      : { kind: 'wrong', words: "wrong: it does not match the body and the client's apiSecret" }
  }
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

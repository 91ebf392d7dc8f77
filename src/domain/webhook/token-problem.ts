import { isMapping } from '../text/objects.ts'
import { type Jwt, memberOf, signatureOf } from './jwt.ts'
import { secretFields } from './secret.ts'
import { sameText } from './signature.ts'
import type { ReceivedMessage, Secrets, SignatureProblem, VerifyingClock } from './signature-problem.ts'

/** Verifies the token of a webhook (N36, N74).
 *  @returns null if it is right, or if the body has another form */
export function tokenProblem(
  message: ReceivedMessage,
  jwt: Jwt,
  { webhookSecret, previousSecret, apiSecret }: Secrets,
  { now }: VerifyingClock,
): SignatureProblem | null {
  const { header } = jwt
  const place = header === undefined ? 'the token in the body' : `the token in ${header}`
  const token = tokenOf(message, jwt)
  if (token === undefined)
    return header === undefined
      ? null
      : { kind: 'missing', words: `missing: expected a token in the header ${header}` }
  const [head = '', claims = '', signature = ''] = token.split('.')
  if (jsonIn(head)?.alg !== jwt.algorithm)
    return { kind: 'unreadable', words: `unreadable: ${place} is not a JWT with ${jwt.algorithm}` }
  const ofClient = jwt.secret === 'api-secret' ? [apiSecret] : [webhookSecret, previousSecret ?? []].flat()
  const keys = jwt.key === undefined ? ofClient : [jwt.key]
  const isRight = keys.some((key) => sameText(signature, signatureOf(`${head}.${claims}`, jwt, key)))
  if (!isRight)
    return {
      kind: 'wrong',
      words: `wrong: ${place} does not match ${jwt.key === undefined ? `the client's ${secretFields[jwt.secret]}` : 'the key of `webhook.jwt`'}`,
    }
  const exp = jsonIn(claims)?.exp
  if (typeof exp === 'number' && exp * 1_000 < now)
    return { kind: 'time', words: `too old: ${place} has expired, by its claim exp` }
  return null
}

/** The token of a webhook; undefined without one. */
function tokenOf({ body, headers }: ReceivedMessage, jwt: Jwt): string | undefined {
  const member = memberOf(jwt)
  if (member === null) return headers[jwt.header ?? ''] || undefined
  const found = parsed(body)?.[member]
  return typeof found === 'string' ? found : undefined
}

const jsonIn = (part: string) => parsed(Buffer.from(part, 'base64url').toString('utf8'))

function parsed(text: string): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(text)
    return isMapping(value) ? { ...value } : null
  } catch {
    return null
  }
}

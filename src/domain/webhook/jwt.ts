import { createHmac, createPrivateKey, sign } from 'node:crypto'
import * as z from 'zod'
import { duration } from '../text/duration-schema.ts'
import { isMapping } from '../text/objects.ts'
import type { EpochMs } from '../text/time.ts'
import { payloadTemplate } from './payload-template.ts'
import { headerName, inLowerCase } from './recipe.ts'
import {
  type ClientSecrets,
  foreignFor,
  isReadable,
  keyBytes,
  secretFields,
  secretForms,
  secretNames,
} from './secret.ts'

/** The algorithms of tokens, with the hash of each. */
const hashes = { HS256: 'sha256', HS384: 'sha384', HS512: 'sha512', RS256: 'sha256' } as const
export type JwtAlgorithm = keyof typeof hashes
const jwtAlgorithms = ['HS256', 'HS384', 'HS512', 'RS256'] as const satisfies readonly JwtAlgorithm[]

/** Schema of the form of webhooks that are a JWT (N74). */
export const jwtForm = z
  .strictObject({
    member: z.string().min(1).max(100).optional(),
    header: headerName.transform(inLowerCase).optional(),
    claims: payloadTemplate
      .refine(isMapping, { error: 'must be an object: the claims of a JWT have names' })
      .refine((claims) => !JSON.stringify(claims).includes('${attempt'), {
        error: 'cannot have `${attempt}`: the token is the same in every attempt; use `webhook.headers`',
      })
      .refine((claims) => !JSON.stringify(claims).includes('${jwt'), {
        error: 'cannot have `${jwt}`: a token does not contain itself',
      })
      .optional(),
    iat: z.boolean().default(false),
    exp: duration.refine((ms) => ms >= 1_000, 'must be at least 1s').optional(),
    jti: z.boolean().default(false),
    kid: z.string().min(1).max(200).optional(),
    algorithm: z.enum(jwtAlgorithms).optional(),
    secret: z.enum(secretNames).default('api-secret'),
    secretAs: z.enum(secretForms).default('text'),
    key: z.string().min(1).max(10_000).optional(),
  })
  .refine(({ member, header }) => member === undefined || header === undefined, {
    path: ['header'],
    error: 'cannot stand beside `member`: the token is sent in one of the two',
  })
  .superRefine(({ algorithm, key, secretAs }, context) => {
    const fail = (message: string) => context.addIssue({ code: 'custom', path: ['key'], message })
    if (algorithm === 'RS256' && !(key !== undefined && isRsaKey(key)))
      fail('must be the PEM text of a private RSA key with `algorithm: RS256`')
    else if (algorithm !== 'RS256' && key !== undefined && !isReadable(key, secretAs))
      fail(`is not ${secretAs}, as which \`secretAs\` reads it`)
  })

/** Whether a text is a private RSA key in PEM. */
function isRsaKey(pem: string): boolean {
  try {
    return createPrivateKey(pem).asymmetricKeyType === 'rsa'
  } catch {
    return false
  }
}

/** The form of a JWT with its algorithm. */
export type Jwt = Omit<JwtForm, 'algorithm'> & {
  readonly algorithm: JwtAlgorithm
  /** Whether a template has the token, as `${jwt}`. */
  readonly isInTemplate: boolean
}

type JwtForm = z.output<typeof jwtForm>

/** The settings that decide about tokens. */
export interface JwtSettings {
  readonly 'webhook.format': string
  readonly 'webhook.jwt': JwtForm | null
  readonly 'webhook.jwtAlgorithm': Exclude<JwtAlgorithm, 'RS256'>
}

/** The form of today's tokens. */
const plain: JwtForm = { iat: false, jti: false, secret: 'api-secret', secretAs: 'text' }

/** The form of the token in some settings; null if webhooks have none. In the format `jwt` the body is a token; in
 *  others it stands where `${jwt}` does. */
export function jwtOf(settings: JwtSettings): Jwt | null {
  const own = settings['webhook.jwt']
  const isInTemplate = settings['webhook.format'] !== 'jwt'
  if (isInTemplate && own === null) return null
  const { member, header, ...form } = own ?? plain
  const place = isInTemplate ? {} : { member, header }
  const algorithm = form.algorithm ?? settings['webhook.jwtAlgorithm']
  return { ...form, ...place, algorithm, isInTemplate }
}

/** The field of the body that has the token; null if a header or a template has it. */
export const memberOf = ({ member, header, isInTemplate }: Jwt): string | null =>
  header === undefined && !isInTemplate ? (member ?? 'payload') : null

/** Makes the token of a webhook.
 *  @param claims the text of a JSON object
 *  @param at the time of issue, for `iat` and `exp` */
export function token(
  claims: string,
  jwt: Jwt,
  { secret, webhookId, at }: { readonly secret: string; readonly webhookId: string; readonly at: EpochMs },
): string {
  const seconds = Math.floor(at / 1_000)
  const all = {
    ...JSON.parse(claims),
    ...(jwt.iat && { iat: seconds }),
    ...(jwt.exp !== undefined && { exp: seconds + Math.floor(jwt.exp / 1_000) }),
    ...(jwt.jti && { jti: webhookId }),
  }
  const head = { alg: jwt.algorithm, typ: 'JWT', kid: jwt.kid }
  const content = [head, all].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.')
  return `${content}.${signatureOf(content, jwt, secret)}`
}

/** The secret that keys a token.
 *  @param how `isForged`: returns one that the client never had */
export function secretOf(jwt: Jwt, secrets: ClientSecrets, how: { readonly isForged: boolean }): string {
  const secret = jwt.key ?? secrets[secretFields[jwt.secret]]
  return how.isForged ? foreignFor(jwt, secret) : secret
}

/** Whether a body is a JSON object, which the claims of a token have to be. */
export function isClaims(body: string): boolean {
  try {
    return isMapping(JSON.parse(body))
  } catch {
    return false
  }
}

/** The signature of a token over its first two parts. */
export const signatureOf = (
  content: string,
  { algorithm, secretAs }: Pick<Jwt, 'algorithm' | 'secretAs'>,
  secret: string,
): string => {
  const hash = hashes[algorithm]
  // A secret that the client never had is no private key.
  return algorithm === 'RS256' && isRsaKey(secret)
    ? sign(hash, Buffer.from(content), secret).toString('base64url')
    : createHmac(hash, keyBytes(secret, secretAs)).update(content).digest('base64url')
}

/** A token that is made later, with the time and the key of its webhook: its claims, in a mark that stands for it. The
 *  id of the webhook keeps values of a caller from being taken for one. */
export const tokenMark = (webhookId: string, claims: string): string =>
  `\u{E002}${webhookId}|${Buffer.from(claims).toString('base64url')}\u{E003}`

/** Whether a text has the mark of a token. */
export const hasTokenMark = (text: string): boolean => text.includes('\u{E002}')

/** Puts tokens in the places of their marks.
 *  @param make makes a token from the JSON text of its claims */
export function withTokens(text: string, webhookId: string, make: (claims: string) => string): string {
  return text.replaceAll(/\u{E002}([^|\u{E003}]*)\|([\w-]*)\u{E003}/gu, (mark, id: string, claims: string) =>
    id === webhookId ? make(Buffer.from(claims, 'base64url').toString('utf8')) : mark,
  )
}

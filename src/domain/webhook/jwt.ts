import { createHmac } from 'node:crypto'
import * as z from 'zod'
import { duration } from '../text/duration-schema.ts'
import { isMapping } from '../text/objects.ts'
import type { EpochMs } from '../text/time.ts'
import { payloadTemplate } from './payload-template.ts'
import { headerName, inLowerCase } from './recipe.ts'
import { type ClientSecrets, foreignFor, keyBytes, secretFields, secretForms, secretNames } from './secret.ts'

/** The algorithms of tokens, with the hash of each. */
const hashes = { HS256: 'sha256', HS384: 'sha384', HS512: 'sha512' } as const
export type JwtAlgorithm = keyof typeof hashes
const jwtAlgorithms = ['HS256', 'HS384', 'HS512'] as const satisfies readonly JwtAlgorithm[]

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
      .optional(),
    iat: z.boolean().default(false),
    exp: duration.refine((ms) => ms >= 1_000, 'must be at least 1s').optional(),
    jti: z.boolean().default(false),
    kid: z.string().min(1).max(200).optional(),
    algorithm: z.enum(jwtAlgorithms).optional(),
    secret: z.enum(secretNames).default('api-secret'),
    secretAs: z.enum(secretForms).default('text'),
  })
  .refine(({ member, header }) => member === undefined || header === undefined, {
    path: ['header'],
    error: 'cannot stand beside `member`: the token is sent in one of the two',
  })

/** The form of a JWT with its algorithm. */
export type Jwt = Omit<JwtForm, 'algorithm'> & { readonly algorithm: JwtAlgorithm }

type JwtForm = z.output<typeof jwtForm>

/** The settings that decide about tokens. */
export interface JwtSettings {
  readonly 'webhook.format': string
  readonly 'webhook.jwt': JwtForm | null
  readonly 'webhook.jwtAlgorithm': JwtAlgorithm
}

/** The form of today's tokens. */
const plain: JwtForm = { iat: false, jti: false, secret: 'api-secret', secretAs: 'text' }

/** The form of the token in some settings; null if webhooks have none. */
export function jwtOf(settings: JwtSettings): Jwt | null {
  if (settings['webhook.format'] !== 'jwt') return null
  const form = settings['webhook.jwt'] ?? plain
  return { ...form, algorithm: form.algorithm ?? settings['webhook.jwtAlgorithm'] }
}

/** The field of the body that has the token; null if a header has it. */
export const memberOf = ({ member, header }: Jwt): string | null =>
  header === undefined ? (member ?? 'payload') : null

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
  const secret = secrets[secretFields[jwt.secret]]
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
): string => createHmac(hashes[algorithm], keyBytes(secret, secretAs)).update(content).digest('base64url')

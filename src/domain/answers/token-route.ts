import * as z from 'zod'
import { fieldName, tokenPath } from '../choices/choice.ts'
import { fillTemplate, jsonTemplate, type Placeholders, type TemplateValues } from '../text/template.ts'
import type { EpochMs } from '../text/time.ts'

/** The forms in which a token route can take credentials: a JSON body, a form body (OAuth 2.0 client credentials),
 *  or the header `Authorization: Basic`. */
const credentialForms = ['json', 'form', 'basic'] as const
export type CredentialForm = (typeof credentialForms)[number]

/** The values that the answer of a token route can name. */
export const tokenPlaceholders = {
  values: {
    accessToken: 'text',
    expiresIn: 'number',
    expiresAt: 'time',
    issuedAt: 'time',
    clientId: 'text',
    scope: 'text',
  },
} as const satisfies Placeholders

/** The values that an error of a token route can name. */
export const tokenErrorPlaceholders = {
  values: { code: 'text', message: 'text', status: 'number', errorId: 'text', time: 'time' },
} as const satisfies Placeholders

/** Schema of the setting `auth.tokenRoute` (N64a, N78). */
export const tokenRoute = z
  .strictObject({
    path: tokenPath,
    accepts: z
      .array(z.enum(credentialForms))
      .min(1)
      .max(credentialForms.length)
      .refine((forms) => new Set(forms).size === forms.length, 'names a form twice')
      .default(['json']),
    clientIdField: fieldName.default('clientId'),
    apiSecretField: fieldName.default('apiSecret'),
    grantType: z.string().min(1).max(100).optional(),
    accessTokenField: fieldName.optional(),
    expiresInField: fieldName.optional(),
    answer: jsonTemplate(tokenPlaceholders).optional(),
    error: jsonTemplate(tokenErrorPlaceholders).optional(),
    refusedStatus: z.int().min(400).max(499).default(401),
  })
  // A transform runs on valid members only.
  .transform((route, context) => {
    const { accessTokenField, expiresInField, answer, ...rest } = route
    const report = (field: string, message: string) =>
      context.addIssue({ code: 'custom', path: [field], message })
    if (route.clientIdField === route.apiSecretField)
      report('apiSecretField', 'must differ from `clientIdField`')
    if (answer === undefined) {
      const token = accessTokenField ?? 'accessToken'
      const seconds = expiresInField ?? 'expiresIn'
      if (token === seconds) report('expiresInField', 'must differ from `accessTokenField`')
      return { ...rest, answer: { [token]: '${accessToken}', [seconds]: '${expiresIn}' } }
    }
    for (const field of ['accessTokenField', 'expiresInField'] as const)
      if (route[field] !== undefined)
        report(field, '`answer` already names the fields; leave one of them out')
    if (!JSON.stringify(answer).includes('${accessToken}'))
      report('answer', 'has no ${accessToken}, so that no client could get a token')
    return { ...rest, answer }
  })

/** A token route as the emulator serves it. */
export type TokenRoute = Readonly<z.output<typeof tokenRoute>>

/** An issued token, as the answer of a token route shows it. */
export interface ShownToken {
  readonly token: string
  readonly clientId: string
  readonly lifetimeMs: number
  readonly issuedAt: EpochMs
  /** The scope that the request asked for. */
  readonly scope?: string | undefined
  readonly offset: string
}

/** The answer of a token route, as JSON text. */
export function tokenAnswer(
  template: unknown,
  { token, clientId, lifetimeMs, issuedAt, scope, offset }: ShownToken,
): string {
  const values: TemplateValues = {
    accessToken: token,
    clientId,
    scope,
    expiresIn: Math.floor(lifetimeMs / 1000),
    issuedAt: { time: issuedAt, offset },
    expiresAt: { time: issuedAt + lifetimeMs, offset },
  }
  return fillTemplate(template, values) ?? '{}'
}

/** The error codes of OAuth 2.0 for requests of a token (RFC 6749, 5.2). */
export type TokenErrorCode = 'invalid_client' | 'invalid_request' | 'unsupported_grant_type'

/** The mistake in the grant type of a token request; null for none. A form must name one; other bodies only if the
 *  route says so. */
export function grantProblem(
  { grantType }: Pick<TokenRoute, 'grantType'>,
  sent: string | undefined,
  isForm: boolean,
): { code: TokenErrorCode; message: string } | null {
  const wanted = grantType ?? (isForm ? 'client_credentials' : anyGrant)
  if (wanted === anyGrant || sent === wanted) return null
  if (sent === undefined || sent === '')
    return { code: 'invalid_request', message: `is missing; it must be ${wanted}` }
  return {
    code: 'unsupported_grant_type',
    message: `must be ${wanted}, not ${JSON.stringify(sent)}`,
  }
}

/** The word for a route that takes any grant type. */
const anyGrant = 'any'

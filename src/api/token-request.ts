import type { Context } from 'hono'
import * as z from 'zod'
import { type CredentialForm, grantProblem, type TokenRoute } from '../domain/answers/token-route.ts'
import { masked } from '../domain/journal/masking.ts'
import { EmulatorError } from '../domain/text/errors.ts'
import { type Checked, check, type Problem } from '../domain/text/problems.ts'
import { type JsonObject, parseObject, readBody, requireType } from '../http/body.ts'
import { doubled } from '../http/request.ts'

/** The credentials of a token request, before they are compared with those of a client. */
export interface TokenRequest {
  /** The credentials; more than one pair if they can be read in several ways. */
  readonly credentials: readonly Credentials[]
  readonly scope: string | undefined
  /** The body for the request log, without the secret. */
  readonly logged: string
}

export interface Credentials {
  readonly clientId: string
  readonly apiSecret: string
}

/** A reason to refuse a token request before its credentials are compared. */
export interface TokenProblem {
  readonly code: 'invalid_request' | 'unsupported_grant_type' | 'invalid_client'
  readonly problems: readonly Problem[]
}

const mediaTypes: Readonly<Record<Exclude<CredentialForm, 'basic'>, string>> = {
  json: 'application/json',
  form: 'application/x-www-form-urlencoded',
}

/** Reads a token request in one of the forms that the route accepts (N78).
 *  @throws unsupported_media_type, too_large, body_cut, not_json */
export async function readTokenRequest(c: Context, route: TokenRoute): Promise<TokenRequest | TokenProblem> {
  const authorization = c.req.header('authorization')
  const usesBasic = route.accepts.includes('basic') && /^basic(\s|$)/i.test(authorization ?? '')
  const inBody = route.accepts.filter((form) => form !== 'basic')
  if (!usesBasic && inBody.length === 0) {
    const message = 'is missing; send the credentials as `Basic`'
    return { code: 'invalid_client', problems: [{ path: ['Authorization'], message }] }
  }
  const body = await readFields(c, usesBasic ? ['form', 'json'] : inBody, usesBasic)
  if ('problems' in body) return body
  const grant = grantProblem(route, textIn(body.fields, 'grant_type'), body.isForm)
  if (grant !== null)
    return { code: grant.code, problems: [{ path: ['grant_type'], message: grant.message }] }
  return usesBasic ? fromHeader(authorization ?? '', body, route) : fromBody(body, route)
}

interface BodyFields {
  readonly fields: JsonObject
  readonly isForm: boolean
}

/** @param optional whether there may be no body */
async function readFields(
  c: Context,
  forms: readonly (keyof typeof mediaTypes)[],
  optional: boolean,
): Promise<BodyFields | TokenProblem> {
  if (optional && c.req.header('content-type') === undefined) {
    const { text } = await readBody(c)
    if (text === '') return { fields: {}, isForm: false }
  }
  // Refuses a body without a type.
  const type = requireType(
    c.req.raw,
    forms.map((form) => mediaTypes[form]),
  )
  const body = await readBody(c)
  if (type === mediaTypes.form) return formFields(body.text)
  if (optional && body.text === '') return { fields: {}, isForm: false }
  const parsed = parseObject(body)
  if ('problem' in parsed) throw new EmulatorError('not_json', { problem: parsed.problem })
  return { fields: parsed.value, isForm: false }
}

function formFields(text: string): BodyFields | TokenProblem {
  const form = new URLSearchParams(text)
  const twice = doubled(form)
  if (twice.length === 0) return { fields: Object.fromEntries(form), isForm: true }
  const problems = twice.map((name) => ({ path: [name], message: 'is in the body more than once' }))
  return { code: 'invalid_request', problems }
}

/** Checks a body under the operator's field names. Further fields are ignored. */
function fromBody({ fields, isForm }: BodyFields, route: TokenRoute): TokenRequest | TokenProblem {
  const { clientIdField, apiSecretField } = route
  const schema = z.object({ [clientIdField]: z.string(), [apiSecretField]: z.string() })
  const checked: Checked<Readonly<Record<string, string>>> = check(schema, fields)
  if (!checked.ok) return { code: 'invalid_request', problems: checked.problems }
  const { [clientIdField]: clientId = '', [apiSecretField]: apiSecret = '' } = checked.value
  const said = { [clientIdField]: clientId, [apiSecretField]: masked(apiSecret) }
  return {
    credentials: [{ clientId, apiSecret }],
    scope: textIn(fields, 'scope'),
    logged: isForm ? formText({ ...othersIn(fields), ...said }) : JSON.stringify(said),
  }
}

/** Reads `Authorization: Basic`. OAuth 2.0 wants both parts form-encoded (RFC 6749, 2.3.1), and many clients leave
 *  that out, so both readings are tried. */
function fromHeader(
  authorization: string,
  { fields, isForm }: BodyFields,
  { clientIdField, apiSecretField }: TokenRoute,
): TokenRequest | TokenProblem {
  const encoded = authorization.replace(/^basic\s*/i, '').trim()
  const text = Buffer.from(encoded, 'base64').toString('utf8')
  const colon = text.indexOf(':')
  if (colon < 0 || !/^[A-Za-z0-9+/]+={0,2}$/.test(encoded)) {
    const message = 'is not `Basic` with the base64 of `clientId:apiSecret`'
    return { code: 'invalid_client', problems: [{ path: ['Authorization'], message }] }
  }
  const raw = { clientId: text.slice(0, colon), apiSecret: text.slice(colon + 1) }
  if (
    fields[apiSecretField] !== undefined ||
    ![undefined, raw.clientId].includes(textIn(fields, clientIdField))
  ) {
    const message = 'is in the body, but the credentials are in the header `Authorization`; send them once'
    const name = fields[apiSecretField] === undefined ? clientIdField : apiSecretField
    return { code: 'invalid_request', problems: [{ path: [name], message }] }
  }
  const decoded = { clientId: formDecoded(raw.clientId), apiSecret: formDecoded(raw.apiSecret) }
  const isSame = decoded.clientId === raw.clientId && decoded.apiSecret === raw.apiSecret
  const said = othersIn(fields)
  return {
    credentials: isSame ? [raw] : [raw, decoded],
    scope: textIn(fields, 'scope'),
    logged: isForm ? formText(said) : Object.keys(said).length === 0 ? '' : JSON.stringify(said),
  }
}

function formDecoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch (error) {
    if (error instanceof URIError) return text
    throw error
  }
}

const textIn = (fields: JsonObject, name: string): string | undefined => {
  const value = fields[name]
  return typeof value === 'string' ? value : undefined
}

/** The fields that the request log shows beside the credentials. */
const othersIn = (fields: JsonObject): Record<string, string> =>
  Object.fromEntries(
    ['grant_type', 'scope'].flatMap((name) => {
      const value = textIn(fields, name)
      return value === undefined ? [] : [[name, value]]
    }),
  )

const formText = (fields: Readonly<Record<string, string>>): string =>
  Object.entries(fields)
    .map(([name, value]) => `${name}=${value}`)
    .join('&')

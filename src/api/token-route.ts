import type { Context, Hono } from 'hono'
import { z } from 'zod'
import type { Settings } from '../domain/choices.ts'
import { EmulatorError } from '../domain/errors.ts'
import { check } from '../domain/problems.ts'
import { readBody } from './body.ts'
import type { ServiceParts } from './call.ts'
import { isObject } from './input.ts'
import { masked } from './masking.ts'
import { type Answered, type Findings, recorded } from './recorded.ts'
import { Refusal, verificationFailed } from './refusal.ts'

/** Where the emulator itself has the access token API (N64a). */
const ownTokenPath = '/_emulator/access-token'

type Fields = NonNullable<Settings['auth.tokenRoute']>

const ownFields = {
  clientIdField: 'clientId',
  apiSecretField: 'apiSecret',
  accessTokenField: 'accessToken',
  expiresInField: 'expiresIn',
}

/** The access token API: `{clientId, apiSecret}` gives `{accessToken, expiresIn}` in seconds (N64a, N64b); at the
 *  emulator's own path, and at the operator's real path with its field names if `auth.tokenRoute` says so. */
export function addTokenRoutes(app: Hono, parts: ServiceParts): void {
  const own: Fields = { path: ownTokenPath, ...ownFields }
  app.post(ownTokenPath, (c) => recorded(c, parts, (findings) => issue(c, findings, parts, own)))
  app.all(ownTokenPath, (c) => recorded(c, parts, (findings) => wrongMethod(c, findings)))
  const mounted = parts.clients.commonSettings['auth.tokenRoute']
  if (mounted === null) return
  app.post(mounted.path, (c) => recorded(c, parts, (findings) => issue(c, findings, parts, mounted)))
}

async function issue(c: Context, findings: Findings, parts: ServiceParts, fields: Fields): Promise<Answered> {
  findings.operation = 'access-token'
  const schema = z.strictObject({ [fields.clientIdField]: z.string(), [fields.apiSecretField]: z.string() })
  const body = parse((await readBody(c.req.raw)).text)
  const result = check(schema, body)
  if (!result.ok) {
    throw controlRefusal(
      400,
      'invalid_input',
      result.problems.map(({ path, message }) => `${path.join('.')}: ${message}`).join('; '),
    )
  }
  const clientId = result.value[fields.clientIdField] ?? ''
  const apiSecret = result.value[fields.apiSecretField] ?? ''
  findings.body = JSON.stringify({
    [fields.clientIdField]: clientId,
    [fields.apiSecretField]: masked(apiSecret),
  })
  if (parts.clients.find(clientId) !== undefined) findings.clientId = clientId
  try {
    const { token, lifetimeMs } = await parts.clients.issueToken(clientId, apiSecret)
    const body = JSON.stringify({
      [fields.accessTokenField]: token,
      [fields.expiresInField]: Math.floor(lifetimeMs / 1000),
    })
    return { status: 200, body }
  } catch (error) {
    if (!(error instanceof EmulatorError) || error.code !== 'bad_credentials') throw error
    const diagnosis = { cause: 'credentials.wrong', message: `access-token: ${error.message}` }
    if (fields.path !== ownTokenPath) throw verificationFailed(diagnosis)
    throw controlRefusal(error.status, error.code, error.message)
  }
}

async function wrongMethod(c: Context, findings: Findings): Promise<Answered> {
  findings.operation = 'access-token'
  const { status, code, message, headers } = new EmulatorError(
    'method_not_allowed',
    { method: c.req.method, allowed: 'POST' },
    { allow: 'POST' },
  )
  throw new Refusal(status, { error: { code, message } }, { cause: 'method.wrong', message }, headers)
}

function parse(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text)
    if (isObject(value)) return value
  } catch {
    // told below, like a body that is JSON but no object
  }
  throw controlRefusal(400, 'not_json', 'The body must be a JSON object.')
}

function controlRefusal(status: number, code: string, message: string): Refusal {
  return new Refusal(
    status,
    { error: { code, message } },
    { cause: code, message: `access-token: ${message}` },
  )
}

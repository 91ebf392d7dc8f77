import type { Context, Hono } from 'hono'
import * as z from 'zod'
import type { Settings } from '../domain/choices/settings.ts'
import { masked } from '../domain/journal/masking.ts'
import { EmulatorError } from '../domain/text/errors.ts'
import { type Checked, check, problemWords } from '../domain/text/problems.ts'
import { parseObject, readBody, requireJson } from '../http/body.ts'
import { queryOf, requireDecodable } from '../http/request.ts'
import type { ServiceParts } from './call.ts'
import { CallFaults } from './faults/call-faults.ts'
import { recorded } from './recorded.ts'
import { Refusal, verificationFailed } from './refusal.ts'
import {
  type ErrorBody,
  errorAsText,
  foundClient,
  type RequestInfo,
  type ServiceResponse,
} from './response.ts'
import { ownTokenCall, ownTokenPath } from './token-call.ts'

const ownPath = `/_emulator${ownTokenPath}`

const ownFields = {
  clientIdField: 'clientId',
  apiSecretField: 'apiSecret',
  accessTokenField: 'accessToken',
  expiresInField: 'expiresIn',
}

type CheckedFields = Checked<Readonly<Record<string, string>>>

interface TokenRoute {
  readonly fields: NonNullable<Settings['auth.tokenRoute']>
  readonly checked: (value: unknown) => CheckedFields
  readonly errorBody: ErrorBody
}

/** Adds the access token API: `{clientId, apiSecret}` gives `{accessToken, expiresIn}` in seconds (N64a, N64b). The
 *  emulator's own path answers errors like the control API. The path of `auth.tokenRoute` has the operator's field
 *  names, and answers errors like the service. */
export function addTokenRoutes(app: Hono, parts: ServiceParts): void {
  const controlError: ErrorBody = ({ code, message }) => ({ error: { code, message } })
  addRoute(app, parts, { path: ownPath, ...ownFields }, controlError)
  const mounted = parts.clients.commonSettings['auth.tokenRoute']
  if (mounted !== null) addRoute(app, parts, mounted, errorAsText)
}

function addRoute(
  app: Hono,
  parts: ServiceParts,
  fields: TokenRoute['fields'],
  errorBody: TokenRoute['errorBody'],
): void {
  let check: ((value: unknown) => CheckedFields) | undefined
  const checked = (value: unknown) => {
    check ??= fields.path === ownPath ? ownFieldsCheck() : fieldsCheck(fields)
    return check(value)
  }
  const route = { fields, checked, errorBody }
  app.all(fields.path, (c) => recorded(c, parts, (info) => issue(c, info, parts, route), errorBody))
}

async function issue(
  c: Context,
  info: RequestInfo,
  parts: ServiceParts,
  route: TokenRoute,
): Promise<ServiceResponse> {
  info.operation = 'access-token'
  if (c.req.method !== 'POST') {
    const params = { method: c.req.method, path: c.req.path, allowed: 'POST' }
    throw new EmulatorError('method_not_allowed', params, { allow: 'POST' })
  }
  const faults = new CallFaults(c, 'access-token', info, parts, route.errorBody)
  const asked = await checkedRequest(c, info, parts, route).catch(async (error: unknown) => {
    const isRefusal = error instanceof EmulatorError || error instanceof Refusal
    if (isRefusal) await faults.unchecked([], info.client, null)
    throw error
  })
  await faults.passed([], asked, null)
  const { token, lifetimeMs } = await parts.clients.issueToken(asked.clientId, asked.apiSecret)
  const { accessTokenField, expiresInField } = route.fields
  const answer = (accessToken: string) =>
    JSON.stringify({ [accessTokenField]: accessToken, [expiresInField]: Math.floor(lifetimeMs / 1000) })
  return faults.answer([], asked, {
    status: 200,
    body: answer(token),
    journalled: answer(masked(token)),
    headers: { 'cache-control': 'no-store' },
  })
}

/** Reads the request for a token and checks its secret.
 *  @throws EmulatorError, Refusal */
async function checkedRequest(
  c: Context,
  info: RequestInfo,
  parts: ServiceParts,
  route: TokenRoute,
): Promise<{ clientId: string; apiSecret: string }> {
  const { clientIdField, apiSecretField } = route.fields
  const fields = await readFields(c, route)
  const clientId = fields[clientIdField] ?? ''
  if (route.fields.path === ownPath) refuseOtherQuery(c, clientId)
  const apiSecret = fields[apiSecretField] ?? ''
  info.body = JSON.stringify({ [clientIdField]: clientId, [apiSecretField]: masked(apiSecret) })
  if (parts.clients.find(clientId) !== undefined) foundClient(info, clientId, parts.clients)
  refuseWrongCredentials(clientId, apiSecret, parts, route)
  return { clientId, apiSecret }
}

/** Rejects unknown query parameters and a different clientId, as strictly as the rest of the control API.
 *  @throws invalid_input */
function refuseOtherQuery(c: Context, clientId: string): void {
  requireDecodable(c.req.url)
  const asked = valid(checkedQuery(Object.fromEntries(queryOf(c.req.url))))
  if (asked.clientId === undefined || asked.clientId === clientId) return
  const problems = 'clientId: the body and the query name different clients'
  throw new EmulatorError('invalid_input', { problems })
}

async function readFields(c: Context, { checked }: TokenRoute): Promise<Readonly<Record<string, string>>> {
  requireJson(c.req.raw)
  const parsed = parseObject(await readBody(c))
  if ('problem' in parsed) throw new EmulatorError('not_json', { problem: parsed.problem })
  return valid(checked(parsed.value))
}

function valid<T>(result: Checked<T>): T {
  if (result.ok) return result.value
  throw new EmulatorError('invalid_input', { problems: problemWords(result.problems) })
}

/** Rejects wrong credentials: at the emulator's own path like the control API, elsewhere like the service. */
function refuseWrongCredentials(
  clientId: string,
  apiSecret: string,
  parts: ServiceParts,
  { fields }: TokenRoute,
): void {
  try {
    parts.clients.withCredentials(clientId, apiSecret)
  } catch (error) {
    const wrong = error instanceof EmulatorError && error.code === 'bad_credentials'
    if (!wrong || fields.path === ownPath) throw error
    throw verificationFailed({ cause: 'credentials.wrong', message: `access-token: ${error.message}` })
  }
}

function ownFieldsCheck(): (value: unknown) => Checked<Readonly<Record<string, string>>> {
  return (value) => check(ownTokenCall.body, value)
}

/** Checks a token request under the operator's field names. Further fields (a grant type, a scope) are ignored. */
function fieldsCheck(names: {
  readonly clientIdField: string
  readonly apiSecretField: string
}): (value: unknown) => Checked<Readonly<Record<string, string>>> {
  const schema = z.object({ [names.clientIdField]: z.string(), [names.apiSecretField]: z.string() })
  return (value) => check(schema, value)
}

function checkedQuery(value: unknown): Checked<z.output<typeof ownTokenCall.query>> {
  return check(ownTokenCall.query, value)
}

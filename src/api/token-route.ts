import type { Context, Hono } from 'hono'
import { z } from 'zod'
import type { Settings } from '../domain/choices.ts'
import type { Client } from '../domain/client.ts'
import { EmulatorError } from '../domain/errors.ts'
import { check, problemWords } from '../domain/problems.ts'
import { masked } from '../domain/secrets.ts'
import { parseObject, readBody, requireJson } from '../http/body.ts'
import { queryOf } from '../http/url.ts'
import type { ServiceParts } from './call.ts'
import { FaultPlay } from './faults/fault-play.ts'
import { type Answered, type ErrorBody, errorAsText, type Findings, recorded } from './recorded.ts'
import { Refusal, verificationFailed } from './refusal.ts'

/** Where the emulator itself has the access token API (N64a), in the words of the control API's document. */
export const ownTokenCall = {
  method: 'POST',
  path: '/access-token',
  name: 'issueAccessToken',
  summary: 'Get an access token',
  description:
    'Never behind the control token: the body says who asks. The setting `auth.tokenRoute` adds the same at a path of your own, with your field names.',
  query: z.strictObject({
    clientId: z.string().optional().meta({ description: 'The same as in the body, if at all.' }),
  }),
  body: z
    .strictObject({ clientId: z.string(), apiSecret: z.string() })
    .meta({ id: 'Credentials', example: { clientId: 'demo-client', apiSecret: 'demo-secret' } }),
  answers: {
    200: z
      .strictObject({ accessToken: z.string(), expiresIn: z.int().meta({ description: 'Seconds.' }) })
      .meta({ id: 'IssuedToken', example: { accessToken: 'at_5f2b', expiresIn: 1800 } }),
  },
  errors: ['bad_credentials'],
  guarded: false,
} as const

const ownPath = `/_emulator${ownTokenCall.path}`

const ownFields = {
  clientIdField: 'clientId',
  apiSecretField: 'apiSecret',
  accessTokenField: 'accessToken',
  expiresInField: 'expiresIn',
}

/** A place where the access token API stands: with what field names, and how it words errors. */
interface TokenRoute {
  readonly fields: NonNullable<Settings['auth.tokenRoute']>
  readonly request: z.ZodType<Readonly<Record<string, string>>>
  readonly errorBody: ErrorBody
}

/** The access token API: `{clientId, apiSecret}` gives `{accessToken, expiresIn}` in seconds (N64a, N64b). At the
 *  emulator's own path its errors are those of the control API; at the operator's real path, with its field names,
 *  those of the service (`auth.tokenRoute`). */
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
  const shape = { [fields.clientIdField]: z.string(), [fields.apiSecretField]: z.string() }
  // The operator's route may take more (a grant type, a scope), which is not looked at.
  const request = fields.path === ownPath ? ownTokenCall.body : z.object(shape)
  const route = { fields, request, errorBody }
  app.all(fields.path, (c) => recorded(c, parts, (findings) => issue(c, findings, parts, route), errorBody))
}

async function issue(
  c: Context,
  findings: Findings,
  parts: ServiceParts,
  route: TokenRoute,
): Promise<Answered> {
  findings.operation = 'access-token'
  if (c.req.method !== 'POST') {
    const params = { method: c.req.method, path: c.req.path, allowed: 'POST' }
    throw new EmulatorError('method_not_allowed', params, { allow: 'POST' })
  }
  const faults = new FaultPlay(c, 'access-token', findings, parts, route.errorBody)
  try {
    return await issueUnlessFaulty(c, findings, parts, route, faults)
  } catch (error) {
    const isRefusal = error instanceof EmulatorError || error instanceof Refusal
    if (!isRefusal || !faults.isUnasked) throw error
    const { clientId } = findings
    await faults.unchecked([], clientId === null ? null : { clientId }, null)
    throw error
  }
}

async function issueUnlessFaulty(
  c: Context,
  findings: Findings,
  parts: ServiceParts,
  route: TokenRoute,
  faults: FaultPlay,
): Promise<Answered> {
  const { clientIdField, apiSecretField, accessTokenField, expiresInField } = route.fields
  const fields = await readFields(c, route)
  const clientId = fields[clientIdField] ?? ''
  if (route.fields.path === ownPath) refuseOtherQuery(c, clientId)
  const apiSecret = fields[apiSecretField] ?? ''
  findings.body = JSON.stringify({ [clientIdField]: clientId, [apiSecretField]: masked(apiSecret) })
  if (parts.clients.find(clientId) !== undefined) findings.clientId = clientId
  const client = clientOrRefuse(clientId, apiSecret, parts, route)
  const faulty = faults.checked([], client, null)
  if (faulty !== null) await faulty
  const { token, lifetimeMs } = await parts.clients.issueToken(clientId, apiSecret)
  const answer = (accessToken: string) =>
    JSON.stringify({ [accessTokenField]: accessToken, [expiresInField]: Math.floor(lifetimeMs / 1000) })
  const honest = {
    status: 200,
    body: answer(token),
    journalled: answer(masked(token)),
    headers: { 'cache-control': 'no-store' },
  }
  return faults.stored([], client, honest) ?? honest
}

/** The emulator's own route is as strict about its query as the rest of its API. @throws invalid_input */
function refuseOtherQuery(c: Context, clientId: string): void {
  const asked = valid(ownTokenCall.query, Object.fromEntries(queryOf(c.req.url)))
  if (asked.clientId === undefined || asked.clientId === clientId) return
  const problems = 'clientId: the body and the query name different clients'
  throw new EmulatorError('invalid_input', { problems })
}

async function readFields(c: Context, { request }: TokenRoute): Promise<Readonly<Record<string, string>>> {
  requireJson(c.req.raw)
  const parsed = parseObject(await readBody(c))
  if ('problem' in parsed) throw new EmulatorError('not_json', { problem: parsed.problem })
  return valid(request, parsed.value)
}

/** @throws invalid_input */
function valid<T extends z.ZodType>(schema: T, value: unknown): z.output<T> {
  const result = check(schema, value)
  if (result.ok) return result.value
  throw new EmulatorError('invalid_input', { problems: problemWords(result.problems) })
}

/** Wrong credentials are told as the service tells them, but at the emulator's own path. */
function clientOrRefuse(
  clientId: string,
  apiSecret: string,
  parts: ServiceParts,
  { fields }: TokenRoute,
): Client {
  try {
    return parts.clients.withCredentials(clientId, apiSecret)
  } catch (error) {
    const wrong = error instanceof EmulatorError && error.code === 'bad_credentials'
    if (!wrong || fields.path === ownPath) throw error
    throw verificationFailed({ cause: 'credentials.wrong', message: `access-token: ${error.message}` })
  }
}

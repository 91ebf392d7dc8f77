import type { Context, Hono } from 'hono'
import { codeOf } from '../domain/answers/error-body.ts'
import { type TokenRoute, tokenAnswer } from '../domain/answers/token-route.ts'
import { masked } from '../domain/journal/masking.ts'
import { EmulatorError } from '../domain/text/errors.ts'
import { type Checked, check, problemWords } from '../domain/text/problems.ts'
import { fillTemplate } from '../domain/text/template.ts'
import { parseObject, readBody, requireJson } from '../http/body.ts'
import { queryOf, requireDecodable } from '../http/request.ts'
import type { ServiceParts } from './call.ts'
import { CallFaults } from './faults/call-faults.ts'
import { countCall } from './rate-limiting.ts'
import { recorded } from './recorded.ts'
import { fieldProblem, Refusal, verificationFailed } from './refusal.ts'
import {
  foundClient,
  type RequestInfo,
  reasonOf,
  type ServiceError,
  type ServiceResponse,
} from './response.ts'
import { type ErrorFormat, errorTime, serviceErrorBody } from './service-errors.ts'
import { ownTokenCall, ownTokenPath } from './token-call.ts'
import { type Credentials, readTokenRequest, type TokenProblem, type TokenRequest } from './token-request.ts'

const ownRoute: TokenRoute = {
  path: `/_emulator${ownTokenPath}`,
  accepts: ['json'],
  clientIdField: 'clientId',
  apiSecretField: 'apiSecret',
  answer: { accessToken: '${accessToken}', expiresIn: '${expiresIn}' },
  refusedStatus: 401,
}

/** Adds the access token API: `{clientId, apiSecret}` gives `{accessToken, expiresIn}` in seconds (N64a, N64b). The
 *  emulator's own path answers errors like the control API. The path of `auth.tokenRoute` takes and answers requests
 *  as the setting says, and answers errors by its template or else like the service (N78). */
export function addTokenRoutes(app: Hono, parts: ServiceParts): void {
  addRoute(app, parts, ownRoute, ({ code, message }) => JSON.stringify({ error: { code, message } }))
  const mounted = parts.clients.commonSettings['auth.tokenRoute']
  if (mounted !== null) addRoute(app, parts, mounted, errorFormat(mounted))
}

function addRoute(app: Hono, parts: ServiceParts, route: TokenRoute, errorBody: ErrorFormat): void {
  app.all(route.path, (c) => recorded(c, parts, (info) => issue(c, { info, parts, route }), errorBody))
}

/** The error bodies of the operator's token route. */
function errorFormat({ error: template }: TokenRoute): ErrorFormat {
  if (template === undefined) return serviceErrorBody
  return (error, _, info, parts) => {
    const at = errorTime(info.client?.clientId, parts)
    const time = { time: at, offset: parts.clients.commonSettings['time.offset'] }
    const { status, message } = error
    const values = { code: tokenErrorCode(error), message, status, errorId: info.id, time }
    return fillTemplate(template, values) ?? '{}'
  }
}

/** The code of an error in the words of OAuth 2.0 (RFC 6749, 5.2). */
function tokenErrorCode({ code, status }: ServiceError): string {
  if (code === 'bad_credentials') return 'invalid_client'
  if (code === 'unsupported_grant_type') return code
  return status < 500 && status !== 429 ? 'invalid_request' : codeOf(reasonOf(status))
}

interface Asked {
  readonly info: RequestInfo
  readonly parts: ServiceParts
  readonly route: TokenRoute
}

async function issue(c: Context, asked: Asked): Promise<ServiceResponse> {
  const { info, parts, route } = asked
  info.operation = 'access-token'
  if (c.req.method !== 'POST') {
    const params = { method: c.req.method, path: c.req.path, allowed: 'POST' }
    throw new EmulatorError('method_not_allowed', params, { allow: 'POST' })
  }
  const faults = new CallFaults(c, 'access-token', info, parts)
  const { credentials, scope } = await checkedRequest(c, asked).catch(async (error: unknown) => {
    const isLimited = error instanceof Refusal && error.diagnosis.cause === 'limit.reached'
    if (!isLimited && (error instanceof EmulatorError || error instanceof Refusal))
      await faults.unchecked([], info.client, null)
    throw error
  })
  const { clientId, apiSecret } = credentials
  await faults.passed([], credentials, null)
  const { token, lifetimeMs } = await parts.clients.issueToken(clientId, apiSecret)
  const issuedAt = parts.scheduler.now(clientId)
  const offset = parts.clients.settingsOf(clientId)['time.offset']
  const answer = (shown: string) =>
    tokenAnswer(route.answer, { token: shown, clientId, lifetimeMs, issuedAt, scope, offset })
  return faults.answer([], credentials, {
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
  { info, parts, route }: Asked,
): Promise<{ credentials: Credentials; scope: string | undefined }> {
  const request = route === ownRoute ? await readOwnRequest(c) : await readTokenRequest(c, route)
  if ('problems' in request) throw refusedRequest(request, c, route)
  const { credentials, scope, logged } = request
  info.body = logged
  const known = credentials.find(({ clientId }) => parts.clients.find(clientId) !== undefined)
  if (known !== undefined) {
    foundClient(info, known.clientId, parts.clients)
    countCall({ operation: 'access-token', token: '' }, known.clientId, info, parts)
  }
  const right = credentials.find((each) => hasClient(each, parts))
  if (right === undefined) throw wrongCredentials(c, route)
  return { credentials: right, scope }
}

async function readOwnRequest(c: Context): Promise<TokenRequest> {
  requireJson(c.req.raw)
  const parsed = parseObject(await readBody(c))
  if ('problem' in parsed) throw new EmulatorError('not_json', { problem: parsed.problem })
  const { clientId, apiSecret } = valid(check(ownTokenCall.body, parsed.value))
  refuseOtherQuery(c, clientId)
  const logged = JSON.stringify({ clientId, apiSecret: masked(apiSecret) })
  return { credentials: [{ clientId, apiSecret }], scope: undefined, logged }
}

/** Rejects unknown query parameters and a different clientId, as strictly as the rest of the control API.
 *  @throws invalid_input */
function refuseOtherQuery(c: Context, clientId: string): void {
  requireDecodable(c.req.url)
  const asked = valid(check(ownTokenCall.query, Object.fromEntries(queryOf(c.req.url))))
  if (asked.clientId === undefined || asked.clientId === clientId) return
  const problems = 'clientId: the body and the query name different clients'
  throw new EmulatorError('invalid_input', { problems })
}

function valid<T>(result: Checked<T>): T {
  if (result.ok) return result.value
  throw new EmulatorError('invalid_input', { problems: problemWords(result.problems) })
}

function hasClient({ clientId, apiSecret }: Credentials, { clients }: ServiceParts): boolean {
  try {
    clients.withCredentials(clientId, apiSecret)
    return true
  } catch (error) {
    if (error instanceof EmulatorError && error.code === 'bad_credentials') return false
    throw error
  }
}

/** Refuses a request to the operator's route that is not as the setting says. */
function refusedRequest(
  { code, problems }: TokenProblem,
  c: Context,
  route: TokenRoute,
): Refusal | EmulatorError {
  const message = problemWords(problems)
  if (code === 'invalid_client') return wrongCredentials(c, route, message)
  const open = { code, message, problems: problems.map(fieldProblem) }
  return new Refusal(400, { error: message }, { cause: 'input.invalid', message }, { open })
}

/** Refuses wrong credentials: at the emulator's own path like the control API, elsewhere by the template of the
 *  route, or else like the service. */
function wrongCredentials(c: Context, route: TokenRoute, why?: string): Refusal | EmulatorError {
  const error = new EmulatorError('bad_credentials')
  if (route === ownRoute) return error
  const diagnosis = { cause: 'credentials.wrong', message: `access-token: ${why ?? error.message}` } as const
  const { body } = verificationFailed(diagnosis)
  const challenged = route.refusedStatus === 401 && route.accepts.includes('basic')
  const headers = challenged ? { 'www-authenticate': `Basic realm="${c.req.path}"` } : {}
  const open = { code: error.code, message: 'Client verification failed' }
  return new Refusal(
    route.refusedStatus,
    body,
    diagnosis,
    route.error === undefined ? { headers } : { headers, open },
  )
}

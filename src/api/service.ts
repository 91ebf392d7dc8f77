import { type Context, Hono } from 'hono'
import type { Client } from '../domain/client/client.ts'
import { diagnoseContentType } from '../domain/diagnosis/body.ts'
import { diagnosePath } from '../domain/diagnosis/path.ts'
import type { SentToken } from '../domain/diagnosis/token.ts'
import { EmulatorError } from '../domain/text/errors.ts'
import { nearest } from '../domain/text/issue-words.ts'
import { type Body, readBody, readText, requireJson } from '../http/body.ts'
import { queryOf, queryTextOf, urlParts } from '../http/request.ts'
import { authenticate } from './authentication.ts'
import type { Call, OperationSpec, ServiceParts } from './call.ts'
import { CallFaults } from './faults/call-faults.ts'
import { playBeforeRefusal } from './faults/refused-call.ts'
import { handlers, servedOperations, unservedPaths } from './operations/operations.ts'
import { countCall } from './rate-limiting.ts'
import { recorded } from './recorded.ts'
import { httpRefusal, Refusal } from './refusal.ts'
import { foundClient, onceAnswered, type RequestInfo, type ServiceResponse } from './response.ts'
import { addTokenRoutes } from './token-route.ts'

/** Creates the emulated service. Every request is recorded, and passes the checks in the documented order (N18). */
export function createService(parts: ServiceParts): Hono {
  const app = new Hono()
  addTokenRoutes(app, parts)
  const operations = servedOperations(parts.clients.commonSettings)
  for (const spec of operations) {
    app.all(spec.path, (c) =>
      recorded(c, parts, (info) =>
        isServed(spec, c) ? perform(spec, c, info, parts) : wrongMethod(spec, c, info),
      ),
    )
  }
  const paths = operations.map(({ path }) => path)
  const unserved = unservedPaths(parts.clients.commonSettings)
  app.notFound((c) => recorded(c, parts, () => unknownPath(c, paths, unserved)))
  return app
}

const isServed = ({ method }: OperationSpec, { req }: Context) =>
  req.method === method || (req.method === 'HEAD' && method === 'GET')

async function perform(
  spec: OperationSpec,
  c: Context,
  info: RequestInfo,
  parts: ServiceParts,
): Promise<ServiceResponse> {
  info.operation = spec.operation
  const faults = new CallFaults(c, spec.operation, info, parts)
  try {
    const body = spec.method === 'POST' ? await jsonBody(c, info) : noBody
    info.body = body.text
    const sent = sentIn(c, body)
    // Repeated if the client was reset during the call, so that token, operation and answer belong to one generation.
    const { client, reply } = await parts.clients.worlds.decide(async () => {
      info.notes.length = 0
      const client = authenticate(tokenIn(sent), parts.clients, (clientId) => {
        foundClient(info, clientId, parts.clients)
      })
      const counted = { operation: spec.operation, token: tokenIn(sent).token ?? '' }
      countCall(counted, client.clientId, info, parts)
      const generation = parts.clients.generationOf(client.clientId)
      const call = callOf(spec, c, sent, client, info, faults, parts)
      const reply = await handlers[spec.name](call, parts)
      if (spec.method === 'GET') await parts.clients.worlds.refuseEnded(client.clientId, generation)
      return { client, reply }
    })
    // Registered before any delay, because the connection may break.
    const { answered } = reply
    if (answered) onceAnswered(c, () => answered().catch(parts.onError))
    return await faults.answer(reply.about ?? [], client, { status: 200, body: reply.body }, reply.staleBody)
  } catch (error) {
    // A refusal comes from a check, before anything has changed. A call beyond a rate limit meets no fault (N81).
    if (error instanceof Refusal && error.diagnosis.cause !== 'limit.reached')
      await playBeforeRefusal(c, spec.operation, info, faults, parts)
    throw error
  }
}

function callOf(
  spec: OperationSpec,
  c: Context,
  { body, header, query }: Sent,
  client: Client,
  info: RequestInfo,
  faults: CallFaults,
  parts: ServiceParts,
): Call {
  const url = urlParts(c.req.url)
  return {
    operation: spec.operation,
    origin: url.origin,
    queryText: queryTextOf(url.path),
    query,
    body,
    header,
    client,
    settings: parts.clients.settingsOf(client.clientId),
    faults,
    notes: info.notes,
    info,
  }
}

/** Reads a body that is announced as JSON.
 *  @throws Refusal 415 */
function jsonBody(c: Context, info: RequestInfo): Promise<Body> {
  try {
    requireJson(c.req.raw)
  } catch (error) {
    if (error instanceof EmulatorError) return refuseType(c, error, info)
    throw error
  }
  return readBody(c)
}

/** Refuses a body of an unsupported type. The body is still read for the diagnosis, because often only its
 *  Content-Type is wrong.
 *  @throws Refusal 415 */
async function refuseType(c: Context, error: EmulatorError, info: RequestInfo): Promise<never> {
  info.body = await readText(c)
  const type = c.req.header('content-type')
  const { cause, words } = diagnoseContentType(type, info.body, c.req.header('content-encoding'))
  throw httpRefusal(error.status, error.message, { cause, message: `body: ${words}` })
}

type Sent = Pick<Call, 'header' | 'query' | 'body'>

const sentIn = (c: Context, body: Body): Sent => ({
  header: (name) => c.req.header(name),
  query: () => queryOf(c.req.url),
  body,
})

const tokenIn = ({ header, query, body }: Sent): SentToken => ({
  token: header('access-token'),
  header,
  query,
  body: body.text,
})

const noBody: Body = { text: '', utf8: true }

async function wrongMethod(spec: OperationSpec, c: Context, info: RequestInfo): Promise<ServiceResponse> {
  info.operation = spec.operation
  const message = `${spec.path} does not take ${c.req.method}; use ${spec.method}`
  const isPreflight =
    c.req.method === 'OPTIONS' && c.req.header('access-control-request-method') !== undefined
  const diagnosis = isPreflight
    ? ({ cause: 'method.preflight', message: preflight } as const)
    : ({ cause: 'method.wrong', message: `method: ${message}` } as const)
  throw httpRefusal(405, message, diagnosis, { allow: spec.method })
}

const preflight =
  'method: a browser sent a CORS preflight request; the service does not support calls from browsers, so call it from your backend'

async function unknownPath(
  c: Context,
  paths: readonly string[],
  unserved: readonly string[],
): Promise<ServiceResponse> {
  const { path } = c.req
  const near = nearest(path, paths)
  const hint =
    path === '/'
      ? '; the dashboard is at /_emulator/, and /_emulator/docs lists all calls'
      : near === undefined
        ? ''
        : `; did you mean ${near}?`
  const message = `There is nothing at ${path}${hint}`
  const { cause, words } = diagnosePath(path, paths, unserved)
  throw httpRefusal(404, message, { cause, message: `path: there is nothing at ${path}; ${words}` })
}

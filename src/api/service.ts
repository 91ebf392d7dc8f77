import { type Context, Hono } from 'hono'
import type { Client } from '../domain/client.ts'
import { nearest } from '../domain/nearest.ts'
import { type Body, readBody, requireJson } from '../http/body.ts'
import { queryOf, urlParts } from '../http/url.ts'
import { onceAnswered } from './answered.ts'
import { authenticate } from './authentication.ts'
import type { Call, OperationSpec, Reply, ServiceParts } from './call.ts'
import { FaultPlay } from './faults/fault-play.ts'
import { playBeforeRefusal } from './faults/refused-call.ts'
import { servedOperations } from './operations.ts'
import { type Answered, type Findings, recorded } from './recorded.ts'
import { httpRefusal } from './refusal.ts'
import { addTokenRoutes } from './token-route.ts'

/** The emulated service. Every request passes the checks of N18 in their order and ends in the journal. */
export function createService(parts: ServiceParts): Hono {
  const app = new Hono()
  addTokenRoutes(app, parts)
  const operations = servedOperations(parts.clients.commonSettings)
  for (const spec of operations) {
    // One handler for all methods: Hono goes a longer way where several might answer.
    app.all(spec.path, (c) =>
      recorded(c, parts, (findings) =>
        isServed(spec, c) ? perform(spec, c, findings, parts) : wrongMethod(spec, c, findings),
      ),
    )
  }
  const paths = operations.map(({ path }) => path)
  app.notFound((c) => recorded(c, parts, () => unknownPath(c, paths)))
  return app
}

const isServed = ({ method }: OperationSpec, { req }: Context) =>
  req.method === method || (req.method === 'HEAD' && method === 'GET')

async function perform(
  spec: OperationSpec,
  c: Context,
  findings: Findings,
  parts: ServiceParts,
): Promise<Answered> {
  findings.operation = spec.operation
  const faults = new FaultPlay(c, spec.operation, findings, parts)
  try {
    const body = spec.method === 'POST' ? await jsonBody(c.req.raw) : noBody
    findings.body = body.text
    const [token, authorization] = [c.req.header('access-token'), c.req.header('authorization')]
    const client = authenticate(token, authorization, parts.clients, (clientId) => {
      findings.clientId = clientId
    })
    const reply = await spec.handle(callOf(spec, c, body, client, findings, faults, parts), parts)
    // Before anything is held: the connection may die meanwhile.
    releaseOnceAnswered(c, reply, parts)
    const honest = { status: 200, body: reply.body }
    const played = faults.stored(reply.about ?? [], client, honest)
    return played === null ? honest : await played
  } catch (error) {
    await playBeforeRefusal(error, c, spec.operation, findings, faults, parts)
    throw error
  }
}

function callOf(
  spec: OperationSpec,
  c: Context,
  body: Body,
  client: Client,
  findings: Findings,
  faults: FaultPlay,
  parts: ServiceParts,
): Call {
  const url = urlParts(c.req.url)
  return {
    operation: spec.operation,
    origin: url.origin,
    query: queryOf(url.path),
    body,
    header: (name) => c.req.header(name),
    client,
    settings: parts.clients.settingsOf(client.clientId),
    faults,
    notes: findings.notes,
    findings,
  }
}

function jsonBody(request: Request): Promise<Body> {
  requireJson(request)
  return readBody(request)
}

const noBody: Body = { text: '', utf8: true }

function releaseOnceAnswered(c: Context, { answered }: Reply, parts: ServiceParts): void {
  if (answered !== undefined) onceAnswered(c, () => answered().catch(parts.onError))
}

async function wrongMethod(spec: OperationSpec, c: Context, findings: Findings): Promise<Answered> {
  findings.operation = spec.operation
  const message = `${c.req.method} is not possible at ${spec.path}; use ${spec.method}`
  throw httpRefusal(405, 'method.wrong', message, { allow: spec.method })
}

async function unknownPath(c: Context, paths: readonly string[]): Promise<Answered> {
  const { path } = c.req
  const near = nearest(path, paths)
  const hint = near === undefined ? '' : `; did you mean ${near}?`
  throw httpRefusal(404, 'path.unknown', `There is nothing at ${path}${hint}`)
}

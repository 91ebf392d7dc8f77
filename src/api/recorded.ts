import type { Context } from 'hono'
import { journalHeaders } from '../domain/journal/entry.ts'
import { rawHeadersOf, urlParts, wasRefused } from '../http/request.ts'
import { thisTurn } from '../time/timers.ts'
import { stopwatch, wallNow } from '../time/wall.ts'
import type { ServiceParts } from './call.ts'
import { sendFaulty } from './faults/faulty-answer.ts'
import { type Outcome, outcomeOf } from './outcome.ts'
import type { RequestInfo, ServiceResponse } from './response.ts'
import { type ErrorFormat, serviceErrorBody } from './service-errors.ts'

/** Runs a handler and records the request with its answer, whatever happens. A `Refusal` has its own answer and
 *  diagnosis. An `EmulatorError` gives its status. Any other error is a bug, answered with 500 and the entry's id.
 *  @param errorBody formats an error */
export async function recorded(
  c: Context,
  parts: ServiceParts,
  handle: (info: RequestInfo) => Promise<ServiceResponse>,
  errorBody: ErrorFormat = serviceErrorBody,
): Promise<Response> {
  const started = stopwatch()
  const turn = thisTurn()
  const info: RequestInfo = {
    id: parts.journal.nextId(),
    operation: null,
    client: null,
    requestId: null,
    body: '',
    notes: [],
    headers: {},
    errorBody: (error) => errorBody(error, c, info, parts),
  }
  let outcome: Outcome
  try {
    outcome = { answer: await handle(info), diagnosis: null }
  } catch (error) {
    outcome = outcomeOf(error, info, parts.onError)
  }
  // Answers sent together cost a third of single ones, because only the first has to wake a reader.
  if (!turn.isOver) await turn.end
  record(c, parts, info, outcome, Math.round(stopwatch() - started))
  return responseTo(c, outcome.answer, info, parts)
}

function record(
  c: Context,
  parts: ServiceParts,
  info: RequestInfo,
  { answer, diagnosis }: Outcome,
  ms: number,
) {
  // The code that refused the request has recorded it already.
  if (wasRefused(c)) return
  // After a reset or removal, a new client of the same name has not made this call.
  const { client } = info
  const isThere = client !== null && parts.scheduler.generation(client.clientId) === client.generation
  const clientId = isThere ? client.clientId : null
  const wallAt = wallNow()
  const at = clientId === null ? wallAt : parts.scheduler.now(clientId)
  parts.journal.record({
    id: info.id,
    operation: info.operation,
    clientId,
    requestId: info.requestId,
    wallAt,
    at,
    method: c.req.method,
    path: urlParts(c.req.url).path,
    rawHeaders: rawHeadersOf(c),
    body: info.body,
    status: answer.status,
    response: answer.journalled ?? answer.body,
    notes: info.notes,
    ms,
    diagnosis,
  })
}

function responseTo(
  c: Context,
  answer: ServiceResponse,
  { id, headers: ofCall }: RequestInfo,
  { clients }: ServiceParts,
): Response {
  const headers = {
    'content-type': 'application/json; charset=utf-8',
    'x-content-type-options': 'nosniff',
    ...journalHeaders(id, answer.status, clients.commonSettings.publicBaseUrl ?? urlParts(c.req.url).origin),
    ...ofCall,
    ...answer.headers,
  }
  if (answer.leaves !== undefined) return sendFaulty(c, answer, headers)
  return new Response(answer.body === '' ? null : answer.body, { status: answer.status, headers })
}

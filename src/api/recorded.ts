import type { Context } from 'hono'
import type { Cause } from '../domain/diagnosis/causes.ts'
import type { Diagnosis } from '../domain/journal/entry.ts'
import { journalHeaders } from '../domain/journal/entry.ts'
import { EmulatorError } from '../domain/text/errors.ts'
import { rawHeadersOf, urlParts, wasRefused } from '../http/request.ts'
import { thisTurn } from '../time/timers.ts'
import { stopwatch, wallNow } from '../time/wall.ts'
import type { ServiceParts } from './call.ts'
import { FaultyAnswer, sendFaulty } from './faults/faulty-answer.ts'
import { orderExists, Refusal } from './refusal.ts'
import { type ErrorBody, errorAsText, type RequestInfo, type ServiceResponse } from './response.ts'

/** Runs a handler and records the request with its answer, whatever happens. A `Refusal` has its own answer and
 *  diagnosis. An `EmulatorError` gives its status. Any other error is a bug, answered with 500 and the entry's id.
 *  @param errorBody formats an error */
export async function recorded(
  c: Context,
  parts: ServiceParts,
  handle: (info: RequestInfo) => Promise<ServiceResponse>,
  errorBody: ErrorBody = errorAsText,
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
  }
  let outcome: Outcome
  try {
    outcome = { answer: await handle(info), diagnosis: null }
  } catch (error) {
    outcome = outcomeOf(error, info, parts, errorBody)
  }
  // Answers sent together cost a third of single ones, because only the first has to wake a reader.
  if (!turn.isOver) await turn.end
  record(c, parts, info, outcome, Math.round(stopwatch() - started))
  return responseTo(c, outcome.answer, info.id, parts)
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

function responseTo(c: Context, answer: ServiceResponse, id: string, { clients }: ServiceParts): Response {
  const headers = {
    'content-type': 'application/json; charset=utf-8',
    'x-content-type-options': 'nosniff',
    ...journalHeaders(id, answer.status, clients.commonSettings.publicBaseUrl ?? urlParts(c.req.url).origin),
    ...answer.headers,
  }
  if (answer.leaves !== undefined) return sendFaulty(c, answer, headers)
  return new Response(answer.body === '' ? null : answer.body, { status: answer.status, headers })
}

interface Outcome {
  readonly answer: ServiceResponse
  readonly diagnosis: Diagnosis | null
}

function outcomeOf(error: unknown, info: RequestInfo, parts: ServiceParts, errorBody: ErrorBody): Outcome {
  if (error instanceof FaultyAnswer) return { answer: error.answer, diagnosis: null }
  const known = error instanceof EmulatorError ? refusalOf(error, info, errorBody) : error
  if (known instanceof Refusal) {
    const { status, body, headers, diagnosis } = known
    return { answer: { status, body: JSON.stringify(body), headers }, diagnosis }
  }
  parts.onError(error, info.id)
  const internal = new EmulatorError('internal', { id: info.id })
  const said = error instanceof Error ? error.message : String(error)
  const diagnosis = { cause: 'internal', message: said } as const
  return { answer: { status: internal.status, body: JSON.stringify(errorBody(internal)) }, diagnosis }
}

function refusalOf(error: EmulatorError, { requestId }: RequestInfo, errorBody: ErrorBody): Refusal {
  const { code, message, status, headers } = error
  if (code === 'order_exists') return orderExists(requestId ?? '')
  const cause = causes.get(code) ?? 'emulator.error'
  // The client was deleted during the request; its token is unknown from now on.
  if (code === 'client_unknown') {
    const body = errorBody({ code: 'bad_credentials', message: 'Client verification failed' })
    return new Refusal(401, body, { cause, message })
  }
  return new Refusal(status, errorBody(error), { cause, message }, headers)
}

/** The causes that the request log names for errors, by error code. */
const causes = new Map<EmulatorError['code'], Cause>([
  ['bad_credentials', 'credentials.wrong'],
  ['client_unknown', 'client.deleted'],
  ['disk_full', 'emulator.disk-full'],
  ['invalid_input', 'input.invalid'],
  ['method_not_allowed', 'method.wrong'],
  ['not_json', 'body.syntax'],
  ['stopping', 'emulator.stopping'],
  ['unsupported_media_type', 'body.content-type'],
  ['too_large', 'body.too-large'],
  ['body_cut', 'body.cut'],
])

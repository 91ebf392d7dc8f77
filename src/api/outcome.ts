import { codeOf } from '../domain/answers/error-body.ts'
import type { Cause } from '../domain/diagnosis/causes.ts'
import type { Diagnosis } from '../domain/journal/entry.ts'
import { EmulatorError } from '../domain/text/errors.ts'
import type { ServiceParts } from './call.ts'
import { FaultyAnswer } from './faults/faulty-answer.ts'
import { orderExists, Refusal } from './refusal.ts'
import { type RequestInfo, reasonOf, type ServiceResponse } from './response.ts'

/** The answer to a request, and why it was refused. */
export interface Outcome {
  readonly answer: ServiceResponse
  readonly diagnosis: Diagnosis | null
}

/** Converts an error of a handler to an answer.
 *  @param onError is called for a bug */
export function outcomeOf(error: unknown, info: RequestInfo, onError: ServiceParts['onError']): Outcome {
  if (error instanceof FaultyAnswer) return { answer: error.answer, diagnosis: null }
  if (error instanceof Refusal) return outcomeOfRefusal(error, info)
  if (error instanceof EmulatorError) return outcomeOfError(error, info)
  onError(error, info.id)
  const internal = new EmulatorError('internal', { id: info.id })
  const said = error instanceof Error ? error.message : String(error)
  const diagnosis = { cause: 'internal', message: said } as const
  return { answer: { status: internal.status, body: info.errorBody(internal) }, diagnosis }
}

function outcomeOfRefusal(
  { status, body, open, headers, diagnosis }: Refusal,
  { errorBody }: RequestInfo,
): Outcome {
  const text =
    open === null
      ? JSON.stringify(body)
      : errorBody({ status, code: codeOf(reasonOf(status)), ...open, plain: body })
  return { answer: { status, body: text, headers }, diagnosis }
}

function outcomeOfError(error: EmulatorError, info: RequestInfo): Outcome {
  const { requestId, errorBody } = info
  const { code, message, status, headers } = error
  if (code === 'order_exists') return outcomeOfRefusal(orderExists(requestId ?? ''), info)
  const diagnosis = { cause: causes.get(code) ?? 'emulator.error', message }
  // The client was deleted during the request; its token is unknown from now on.
  if (code === 'client_unknown') {
    const words = { status: 401, code: 'bad_credentials', message: 'Client verification failed' }
    return { answer: { status: 401, body: errorBody(words) }, diagnosis }
  }
  return { answer: { status, body: errorBody({ status, code, message }), headers }, diagnosis }
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

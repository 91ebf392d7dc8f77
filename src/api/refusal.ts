import type { Settings } from '../domain/choices/settings.ts'
import type { Cause } from '../domain/diagnosis/causes.ts'
import { diagnoseInput, type InputProblem } from '../domain/diagnosis/mistake.ts'
import type { Diagnosis } from '../domain/journal/entry.ts'
import type { Problem } from '../domain/text/problems.ts'

/** An answer of the service to a rejected call: its documented body, and the diagnosis for the request log. */
export class Refusal extends Error {
  readonly status: number
  readonly body: unknown
  readonly diagnosis: Diagnosis
  readonly headers: Readonly<Record<string, string>>

  constructor(
    status: number,
    body: unknown,
    diagnosis: Diagnosis,
    headers: Readonly<Record<string, string>> = {},
  ) {
    super(diagnosis.message)
    this.status = status
    this.body = body
    this.diagnosis = diagnosis
    this.headers = headers
  }
}

/** 401 with the documented text; the reason is only in the request log (R115). */
export function verificationFailed(diagnosis: Diagnosis): Refusal {
  return new Refusal(401, { error: 'Client verification failed' }, diagnosis)
}

/** The answer for a taken requestId (R88, R119). */
export function orderExists(requestId: string): Refusal {
  const error = { code: '7001', message: 'Order already exists for given requestId' }
  const message = `requestId: an order with ${JSON.stringify(requestId)} already exists; look it up, or use a new requestId`
  return new Refusal(401, { error }, { cause: 'requestId.taken', message })
}

/** The answer to invalid input: an object for create calls, a text for others, naming all wrong fields (N28).
 *  @param diagnosis more than the problems say, if known */
export function invalid(
  problems: readonly InputProblem[],
  settings: Settings,
  shape: 'object' | 'text',
  diagnosis?: { cause: Cause; words: string } | null,
): Refusal {
  const told = problems.slice(0, toldAtMost).map(wordsOf)
  const more = problems.length - told.length
  const message = [...told, ...(more > 0 ? [`and ${more} more problems`] : [])].join('; ')
  const status = settings['errors.validationStatus']
  const body = shape === 'object' ? { error: { code: String(status), message } } : { error: message }
  const { cause, words } = diagnosis ?? diagnoseInput(problems)
  return new Refusal(status, body, { cause, message: words === '' ? message : `${message}; ${words}` })
}

const toldAtMost = 50

/** 404, 405, 415 (N33), with the diagnosis for the request log. */
export function httpRefusal(
  status: number,
  message: string,
  diagnosis: Diagnosis,
  headers: Readonly<Record<string, string>> = {},
): Refusal {
  return new Refusal(status, { error: message }, diagnosis, headers)
}

/** `<field>: <reason>`. */
function wordsOf({ path, message }: Problem): string {
  // The field stands before the colon already.
  const reason = message.replace(/^`[^`]*` is missing$/, 'is missing')
  return path.length === 0 ? reason : `${path.join('.')}: ${reason}`
}

import type { FieldProblem } from '../domain/answers/error-body.ts'
import type { Settings } from '../domain/choices/settings.ts'
import type { Cause } from '../domain/diagnosis/causes.ts'
import { diagnoseInput, type InputProblem } from '../domain/diagnosis/mistake.ts'
import type { Diagnosis } from '../domain/journal/entry.ts'
import type { Problem } from '../domain/text/problems.ts'
import type { ServiceError } from './response.ts'

/** The refusal of a call: the documented answer of the service, and the diagnosis for the request log. */
export class Refusal extends Error {
  readonly status: number
  readonly body: unknown
  readonly diagnosis: Diagnosis
  readonly headers: Readonly<Record<string, string>>
  /** The error for the user's template; null if the API specification shows the body. */
  readonly open: OpenRefusal | null

  constructor(
    status: number,
    body: unknown,
    diagnosis: Diagnosis,
    {
      headers = {},
      open = null,
    }: { headers?: Readonly<Record<string, string>>; open?: OpenRefusal | null } = {},
  ) {
    super(diagnosis.message)
    this.status = status
    this.body = body
    this.diagnosis = diagnosis
    this.headers = headers
    this.open = open
  }
}

/** The parts of a refusal that its body may show in another format (N80). */
export type OpenRefusal = Pick<ServiceError, 'message' | 'problems'> & { readonly code?: string }

/** Refuses a call with 401 and the documented text; the reason is only in the request log (R115). */
export function verificationFailed(diagnosis: Diagnosis): Refusal {
  return new Refusal(401, { error: 'Client verification failed' }, diagnosis)
}

/** Refuses a requestId that already has an order (R88, R119). */
export function orderExists(requestId: string): Refusal {
  const error = { code: '7001', message: 'Order already exists for given requestId' }
  const message = `requestId: an order with ${JSON.stringify(requestId)} already exists; look it up, or use a new requestId`
  return new Refusal(401, { error }, { cause: 'requestId.taken', message })
}

/** Refuses invalid input. The body is an object for create calls and a text for others, and names all wrong fields
 *  (N28).
 *  @param diagnosis a more specific cause than the problems give, if known */
export function invalid(
  problems: readonly InputProblem[],
  settings: Settings,
  shape: 'object' | 'text',
  diagnosis?: { cause: Cause; words: string } | null,
): Refusal {
  const shown = problems.slice(0, shownAtMost).map(wordsOf)
  const more = problems.length - shown.length
  const message = [...shown, ...(more > 0 ? [`and ${more} more problems`] : [])].join('; ')
  const status = settings['errors.validationStatus']
  const body = shape === 'object' ? { error: { code: String(status), message } } : { error: message }
  const { cause, words } = diagnosis ?? diagnoseInput(problems)
  return new Refusal(
    status,
    body,
    { cause, message: words === '' ? message : `${message}; ${words}` },
    { open: { message, problems: problems.slice(0, shownAtMost).map(fieldProblem) } },
  )
}

const shownAtMost = 50

/** Refuses a call with 404, 405 or 415, and the diagnosis for the request log (N33). */
export function httpRefusal(
  status: number,
  message: string,
  diagnosis: Diagnosis,
  headers: Readonly<Record<string, string>> = {},
): Refusal {
  return new Refusal(status, { error: message }, diagnosis, { headers, open: { message } })
}

/** Formats a problem as `<field>: <reason>`. */
function wordsOf(problem: Problem): string {
  const { field, reason } = fieldProblem(problem)
  return field === '' ? reason : `${field}: ${reason}`
}

/** The field of a problem, empty for the whole input, and the reason. */
export function fieldProblem({ path, message }: Problem): FieldProblem {
  // The field is named already.
  const reason = message.replace(/^`[^`]*` is missing$/, 'is missing')
  return { field: path.join('.'), rule: ruleOf(reason), reason }
}

/** The rule that a problem is about, by the words of the schema's messages. */
function ruleOf(reason: string): FieldProblem['rule'] {
  if (reason === 'is missing') return 'required'
  if (reason.startsWith('expected')) return 'type'
  return /\d characters|must not be empty/.test(reason) ? 'length' : 'format'
}

import type { Call, Evidence } from '../evidence/evidence.ts'
import { parsedJson } from '../evidence/parsed-json.ts'
import { fieldsOf } from '../evidence/read-call.ts'
import { isOpenError, refusedInput } from './refused-input.ts'
import { fieldsNamed, requestFields, type WrongField } from './wrong-fields.ts'

/** An error with a JSON body that the API specification does not print. */
export interface SeenError {
  readonly call: RefusedCall
  /** What was called; null for a path or a method that is not served. */
  readonly operation: Call['operation'] | null
  readonly status: number
  readonly body: unknown
  /** The wrong fields of invalid input, as far as they show; null for an error with another cause. */
  readonly problems: readonly WrongField[] | null
}

type RefusedCall = Omit<Call, 'operation'>

/** All errors with a JSON body. */
export function seenErrors({ calls, strays }: Evidence): SeenError[] {
  const ofCalls = calls.flatMap((call): SeenError[] => {
    const { status, operation, output } = call
    if (status === null || !isOpenError(call) || typeof output !== 'object' || output === null) return []
    const refused = refusedInput(call)
    const problems = refused === null ? null : problemsOf(call, refused.wrong)
    return [{ call, operation, status, body: output, problems }]
  })
  const ofStrays = strays.flatMap((exchange): SeenError[] => {
    const { status, response } = exchange
    const output = parsedJson(response)
    if (status === null || typeof output !== 'object' || output === null) return []
    const call = { ...exchange, clientId: null, requestId: null, input: undefined, output }
    return [{ call, operation: null, status, body: output, problems: null }]
  })
  return [...ofCalls, ...ofStrays]
}

/** The wrong fields that show in the request, and those that only the answer names. */
function problemsOf(call: Call, wrong: readonly WrongField[]): WrongField[] {
  const more = fieldsNamed(call)
    .filter((field) => wrong.every((each) => each.field !== field))
    .map((field): WrongField => ({ field, rule: requestFields(call)[field] === null ? 'type' : 'format' }))
  return [...wrong, ...more]
}

const creates: readonly string[] = ['create-checkout-order', 'create-subscription-order']

/** Whether a body has the form that errors have without a template (N28, N33). */
export function hasDefaultForm({ operation, status, body, problems }: SeenError): boolean {
  const { error, ...others } = fieldsOf(body)
  if (Object.keys(others).length > 0) return false
  if (problems === null || operation === null || !creates.includes(operation))
    return typeof error === 'string'
  const { code, message, ...more } = fieldsOf(error)
  return Object.keys(more).length === 0 && code === String(status) && typeof message === 'string'
}

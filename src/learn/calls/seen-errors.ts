import type { Call, Evidence } from '../evidence/evidence.ts'
import { fieldsOf } from '../evidence/read-call.ts'
import { isCreate } from './answers.ts'
import { isOpenError, refusedInput } from './refused-input.ts'
import { fieldsNamed, requestFields, type WrongField } from './wrong-fields.ts'

/** An error with a JSON body that the API specification does not print. */
export interface SeenError {
  readonly call: Call
  readonly status: number
  readonly body: unknown
  /** The wrong fields of invalid input, as far as they show; null for an error with another cause. */
  readonly problems: readonly WrongField[] | null
}

/** All errors with a JSON body. */
export function seenErrors({ calls }: Evidence): SeenError[] {
  return calls.flatMap((call): SeenError[] => {
    const { status, output } = call
    if (status === null || !isOpenError(call) || typeof output !== 'object' || output === null) return []
    const refused = refusedInput(call)
    return [
      { call, status, body: output, problems: refused === null ? null : problemsOf(call, refused.wrong) },
    ]
  })
}

/** The wrong fields that show in the request, and those that only the answer names. */
function problemsOf(call: Call, wrong: readonly WrongField[]): WrongField[] {
  const more = fieldsNamed(call)
    .filter((field) => wrong.every((each) => each.field !== field))
    .map((field): WrongField => ({ field, rule: requestFields(call)[field] === null ? 'type' : 'format' }))
  return [...wrong, ...more]
}

/** Whether a body has the form that errors have without a template (N28, N33). */
export function hasDefaultForm({ call, status, body, problems }: SeenError): boolean {
  const { error, ...others } = fieldsOf(body)
  if (Object.keys(others).length > 0) return false
  if (problems === null || !isCreate(call)) return typeof error === 'string'
  const { code, message, ...more } = fieldsOf(error)
  return Object.keys(more).length === 0 && code === String(status) && typeof message === 'string'
}

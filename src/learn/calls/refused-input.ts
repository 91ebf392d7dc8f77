import type { Call, Evidence } from '../evidence/evidence.ts'
import { isOrderExists, isVerificationFailure } from './answers.ts'
import { fieldsNamed, type WrongField, wrongFields } from './wrong-fields.ts'

/** A call that was refused because of its input. */
export interface RefusedInput {
  readonly call: Call
  readonly status: number
  /** The fields that break a printed rule. */
  readonly wrong: readonly WrongField[]
  /** The fields that the answer names. */
  readonly named: readonly string[]
}

/** Statuses that have causes of their own, so that a body must name a field to be about the input. */
const ofOtherCauses: readonly number[] = [401, 403, 404, 405, 408, 413, 415, 429]

/** Whether an answer is an error whose body the API specification does not print. */
export const isOpenError = (call: Call): boolean =>
  call.status !== null && call.status >= 400 && !isVerificationFailure(call) && !isOrderExists(call)

/** Reads a call that was refused because of its input; null for any other. */
export function refusedInput(call: Call): RefusedInput | null {
  const { status, output } = call
  if (status === null || status < 400 || status > 499 || output === undefined || !isOpenError(call))
    return null
  const wrong = wrongFields(call)
  const named = fieldsNamed(call)
  const isAboutInput = named.length > 0 || (wrong.length > 0 && !ofOtherCauses.includes(status))
  return isAboutInput ? { call, status, wrong, named } : null
}

export const refusedInputs = ({ calls }: Evidence): RefusedInput[] =>
  calls.flatMap((call) => refusedInput(call) ?? [])

/** Whether an answer refuses a call for one field, which is the only one that it names. */
export function refusesOnly(call: Call, field: string): boolean {
  const refused = refusedInput(call)
  return (
    refused !== null &&
    refused.named.length === 1 &&
    refused.named[0] === field &&
    refused.wrong.every((wrong) => wrong.field === field)
  )
}

import type { PlannedFaults } from '../../../domain/attempt-faults.ts'
import { type AttemptFaults, faultsAt } from '../../../domain/attempt-faults.ts'
import { spanWords } from '../span-words.ts'

/** A delivery's plan as the control API shows it. */
interface Plan {
  readonly by?: readonly string[] | undefined
  readonly faults?: readonly PlannedFaults[] | undefined
  readonly attempts?: number | undefined
  readonly delayed?: true | undefined
  readonly delayMs?: number | undefined
}

/** What was wrong on purpose with an attempt, one sentence each. */
export function faultWords(plan: Plan | null, attempt: number): string[] {
  if (plan?.faults === undefined) return []
  const faults = faultsAt({ faults: plan.faults }, attempt)
  return [...signatureWords(faults), ...bodyWords(faults), ...answerWords(faults)]
}

/** What is planned for a delivery as a whole. */
export function planSentences(plan: Plan | null): string[] {
  if (plan === null) return []
  const { by = [], attempts, delayMs = 0, delayed } = plan
  return [
    ...(by.length > 0 ? [`A sweep applies ${by.join(' and ')} to it.`] : []),
    ...(delayMs > 0 ? [`It is sent ${spanWords(delayMs)} after the answer of its create call.`] : []),
    ...(delayed ? ['It is delayed on purpose; later events of its order do not wait for it.'] : []),
    ...(attempts === undefined
      ? []
      : [`It is tried at most ${attempts === 1 ? 'once' : `${attempts} times`}.`]),
  ]
}

/** The planned faults (`POST /faults`) that met it. */
export const plannedFaultIds = (plan: Plan | null): string[] => [
  ...new Set(plan?.faults?.flatMap(({ fault }) => (fault === undefined ? [] : [fault])) ?? []),
]

function signatureWords({ sign, timestampMs, headers = {} }: AttemptFaults): string[] {
  const words: string[] = []
  if (sign === 'wrong') words.push('Signed with another key.')
  if (sign === 'none') words.push('Sent without a signature.')
  if (timestampMs !== undefined && timestampMs !== 0)
    words.push(
      `Its timestamp is ${spanWords(Math.abs(timestampMs))} ${timestampMs < 0 ? 'old' : 'in the future'}, with a valid signature.`,
    )
  for (const [name, value] of Object.entries(headers))
    words.push(value === null ? `The header ${name} is left out.` : `The header ${name} is changed.`)
  return words
}

function bodyWords({ tamper, truncate, cut, lost, pauseMs, drop }: AttemptFaults): string[] {
  const words: string[] = []
  if (tamper) words.push('One byte of the body was changed after signing.')
  if (truncate !== undefined) words.push(`Only the first ${truncate} bytes of the body were sent.`)
  if (cut !== undefined)
    words.push(`The connection was cut ${cut === 'end' ? 'at the end' : `after ${cut} bytes`} of the body.`)
  if (pauseMs !== undefined) words.push(`It was sent ${spanWords(pauseMs)} later by the wall clock.`)
  if (lost) words.push('It was dropped: nothing was sent.')
  if (drop) words.push('Nothing was sent.')
  return words
}

function answerWords({ countAs, duplicate, apartMs }: AttemptFaults): string[] {
  const words: string[] = []
  if (countAs !== undefined) words.push(`Any answer counts as ${countAs}.`)
  if (duplicate !== undefined) {
    const apart = apartMs === undefined ? '' : `, ${spanWords(apartMs)} apart`
    words.push(
      `After it is accepted, it is sent ${duplicate === 1 ? 'once' : `${duplicate} times`} more${apart}.`,
    )
  }
  return words
}

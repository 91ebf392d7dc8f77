import type { FinalOrderStatus } from '../../domain/order/statuses.ts'
import type { Seen } from '../application/application.ts'
import type { FindingWords } from '../finding.ts'
import type { Defect } from '../report.ts'

/** The expected state of an order in the application. */
export interface Expectation {
  /** The expected status; null if any status will do. */
  readonly state: FinalOrderStatus | null
  /** The expected number of fulfilments. */
  readonly effects: number
  /** The defect to report if there are more fulfilments. */
  readonly excess: Defect
  /** Whether the status is ignored, and only the fulfilments are checked. */
  readonly whateverItSays?: true
}

/** A paid order: shown as paid, and fulfilled once. */
export const paid: Expectation = { state: 'COMPLETED', effects: 1, excess: 'doubled' }

/** A failed order: shown as failed, and not fulfilled. */
export const failed: Expectation = { state: 'FAILED', effects: 0, excess: 'premature' }

/** Whether an order in the application meets an expectation. Without a count of fulfilments the status is used. */
export const isMet = (seen: Seen, { state, effects }: Expectation): boolean =>
  (state === null || seen.state === state) && (seen.effects ?? effects) === effects

type Wrong = Pick<FindingWords, 'defect' | 'did'>

/** The finding about too many fulfilments, which waiting cannot repair; null if there are not too many. */
export function excessOf(seen: Seen, { effects, excess, whateverItSays }: Expectation): Wrong | null {
  if (effects === 0 && seen.state === 'COMPLETED' && !whateverItSays)
    return { defect: excess, did: `${capital(inWords(seen))} although the order is not COMPLETED` }
  if (seen.effects === null || seen.effects <= effects) return null
  return {
    defect: excess,
    did: `It fulfilled the order ${seen.effects === 1 ? 'once' : `${seen.effects} times`}; expected ${effects}`,
  }
}

/** The finding about a missing fulfilment, or a wrong status. */
export function missingOf(seen: Seen | null, { state, effects }: Expectation): Wrong {
  const defect = effects > 0 && (seen?.effects ?? 0) < effects ? 'lost' : 'wrong-status'
  const wanted = state === null ? `; expected ${effects}` : ` although the order is ${state}`
  return { defect, did: `${capital(inWords(seen))}${wanted}` }
}

/** Describes the state of an order in the application: `it said "paid" with 2 fulfilments`. */
export function inWords(seen: Seen | null): string {
  if (seen === null) return 'its status was not observable'
  const said = seen.state === 'unknown' ? 'it did not know the order' : `it said ${JSON.stringify(seen.word)}`
  return seen.effects === null || (seen.state === 'unknown' && seen.effects === 0)
    ? said
    : `${said} with ${seen.effects === 1 ? '1 fulfilment' : `${seen.effects} fulfilments`}`
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

import type { FinalOrderStatus } from '../../domain/order/statuses.ts'
import type { Seen } from '../application/application.ts'
import type { FindingWords } from '../finding.ts'
import type { Defect } from '../report.ts'

/** What an application is to hold an order for. */
export interface Expectation {
  /** Its status; null if that does not matter. */
  readonly state: FinalOrderStatus | null
  /** How often it has released something. */
  readonly effects: number
  /** What it is to have released more. */
  readonly excess: Defect
  /** Whether its word is passed over, and only what it has released counts. */
  readonly whateverItSays?: true
}

/** An order that was paid: taken for paid, and released for once. */
export const paid: Expectation = { state: 'COMPLETED', effects: 1, excess: 'doubled' }

/** An order that has failed: taken for failed, and nothing released. */
export const failed: Expectation = { state: 'FAILED', effects: 0, excess: 'premature' }

/** Whether it is so. Where nobody counts effects, the status has to do. */
export const isSo = (seen: Seen, { state, effects }: Expectation): boolean =>
  (state === null || seen.state === state) && (seen.effects ?? effects) === effects

type Wrong = Pick<FindingWords, 'defect' | 'did'>

/** What is too much, and will not become right by waiting; null if nothing is. */
export function excessOf(seen: Seen, { effects, excess, whateverItSays }: Expectation): Wrong | null {
  if (effects === 0 && seen.state === 'COMPLETED' && !whateverItSays)
    return { defect: excess, did: `${capital(inWords(seen))} although the order is not COMPLETED` }
  if (seen.effects === null || seen.effects <= effects) return null
  return {
    defect: excess,
    did: `It fulfilled the order ${seen.effects === 1 ? 'once' : `${seen.effects} times`}; expected ${effects}`,
  }
}

/** What is missing where it is not so. */
export function missingOf(seen: Seen | null, { state, effects }: Expectation): Wrong {
  const defect = effects > 0 && (seen?.effects ?? 0) < effects ? 'lost' : 'wrong-status'
  return { defect, did: `${capital(inWords(seen))} although the order is ${state ?? 'open'}` }
}

/** What an application says, in words: `it said "paid" with 2 fulfilments`. */
export function inWords(seen: Seen | null): string {
  if (seen === null) return 'its status was not observable'
  const said = seen.state === 'unknown' ? 'it did not know the order' : `it said ${JSON.stringify(seen.word)}`
  return seen.effects === null
    ? said
    : `${said} with ${seen.effects === 1 ? '1 fulfilment' : `${seen.effects} fulfilments`}`
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

import type { Decision } from '../decision.ts'
import type { AttemptResult, NewDelivery } from '../delivery.ts'
import type { JournalEntry } from '../journal-entry.ts'
import type { EpochMs } from '../time.ts'

/** The events of the feed from which coverage follows. */
export type CoverageEvent =
  | { readonly type: 'order'; readonly decision: Decision }
  | { readonly type: 'claimed'; readonly deliveries: readonly Attempted[] }
  | AttemptEvent
  | { readonly type: 'skipped' }
  | { readonly type: 'request'; readonly entry: JournalEntry }

/** A webhook with the number of its attempt. */
export type Attempted = NewDelivery & { readonly attempt: number }

/** An attempt of a webhook has ended. */
export interface AttemptEvent {
  readonly type: 'attempt'
  readonly delivery: Attempted
  readonly url: string
  readonly at: EpochMs
  readonly result: AttemptResult
}

/** What a suite can meet. */
export const sections = ['hazards', 'answers', 'statuses', 'transitions', 'errorCodes', 'attempts'] as const
export type Section = (typeof sections)[number]

/** Something that was met, and how often. */
export interface Met {
  readonly section: Section
  readonly name: string
  readonly count: number
}

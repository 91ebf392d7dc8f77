import type { PlannedFaults } from '../attempt-faults.ts'
import type { JsonMembers } from '../merge-patch.ts'

/** Stands for whichever status the order ends with. */
export const anyFinal = '(final)'

/** `pretty`: indented, with its fields in another order. `null-error`: `errorCode` is null where there is no error. */
export type Spelling = 'pretty' | 'null-error'

/** `unknown-event`: of an `eventType` that nobody documents. `unknown-order`: about an order that does not exist.
 *  `other-client`: another client's, signed with that client's secret. */
export type Companion = 'unknown-event' | 'unknown-order' | 'other-client'

/** What is particular about a webhook; what is not said is as it should be. */
export interface WebhookTreatment {
  /** How much later it leaves. */
  readonly delayMs?: number | undefined
  /** Further copies, one after the other. */
  readonly duplicate?: number | undefined
  /** From one of those to the next. */
  readonly apartMs?: number | undefined
  /** They come within a second, so that they reach the test that made the order. */
  readonly hurried?: boolean | undefined
  /** Further copies in the very moment of the first. */
  readonly simultaneous?: number | undefined
  /** Whether the copies have a `webhook-id` each. */
  readonly freshIds?: boolean | undefined
  /** Sent instead of what it should say, in no format. */
  readonly body?: string | undefined
  /** Merged into what it should say. */
  readonly patch?: JsonMembers | undefined
  /** The same JSON, written otherwise. */
  readonly spelling?: Spelling | undefined
  /** Another webhook, which leaves right after it. */
  readonly companion?: Companion | undefined
  /** How often it is tried at most. */
  readonly attempts?: number | undefined
  readonly faults?: PlannedFaults | undefined
}

/** How webhooks of an order leave. Of several rules about one, the later one holds, member by member. */
export interface WebhookRule extends WebhookTreatment {
  /** The `orderStatus` it is about; left out for every webhook that tells of a change. */
  readonly of?: string | undefined
  readonly drop?: boolean | undefined
  /** It leaves once this `orderStatus` has been told, or `anyFinal` of them. */
  readonly after?: string | undefined
  /** It leaves at the same moment as the webhook before it, of whatever status. */
  readonly beside?: boolean | undefined
  /** It does not wait until the create call has been answered (S19). */
  readonly early?: boolean | undefined
  /** The behaviour of a sweep that the rule is part of. */
  readonly by?: string | undefined
}

/** A webhook beside those that tell of changes. No rule is about it. */
export interface ExtraWebhook extends WebhookTreatment {
  /** The `orderStatus` it claims; null for the order's own. */
  readonly status: string | null
}

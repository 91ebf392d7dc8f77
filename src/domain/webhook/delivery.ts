import type { SettingsOverlay } from '../choices/settings.ts'
import type { EpochMs } from '../text/time.ts'
import type { PlannedFaults } from './faults/faults.ts'

/** How often a delivery that somebody sends by hand is to leave. What is wrong with it is its plan. */
export interface ManualCopies {
  /** How often it is sent, with the same id and bytes. */
  readonly copies: number
  /** All copies at the same time, not one after the other. */
  readonly together: boolean
}

export type DeliveryStatus = 'pending' | 'delivered' | 'dead' | 'skipped' | 'held'

/** `unknown` is what an attempt reads from before it is sent until it is finished, also after a crash. */
export type AttemptOutcome = 'accepted' | 'refused' | 'timeout' | 'connection' | 'unknown'

/** How the attempts of a delivery misbehave, as its scenario wants it; kept with it as JSON. */
export interface DeliveryPlan {
  /** Of the scenario, those that the sender reads. */
  readonly settings?: SettingsOverlay | undefined
  /** What is wrong with attempts; of several things about one the later holds. */
  readonly faults?: readonly PlannedFaults[] | undefined
  /** Attempts at most. */
  readonly attempts?: number | undefined
  /** The behaviours of a sweep that it shows. */
  readonly by?: readonly string[] | undefined
  /** It leaves later than it should. Until it is due, no later event of its order waits for it (N46). */
  readonly delayed?: true | undefined
  /** From the answer of its create call to the moment when it is due. */
  readonly delayMs?: number | undefined
}

/** An event on its way: the outbox row that is born in the same commit as the change it tells of. */
export interface NewDelivery {
  readonly id: string
  /** The same on every attempt, so that receivers can drop repeats. */
  readonly webhookId: string
  readonly clientId: string
  readonly requestId: string
  readonly orderId: string
  /** Place among the events of its order, from 1; 0 for what belongs to no order's sequence (simulations). */
  readonly sequence: number
  readonly eventType: string
  readonly orderStatus: string
  readonly orderType: string
  /** The exact text that is sent, the same on every attempt. */
  readonly body: string
  readonly createdAt: EpochMs
  /** null: waits until its create call has been answered (`Store.releaseAnswer`). */
  readonly dueAt: EpochMs | null
  /** `skipped` when no URL was registered at the moment it should have left (N48). */
  readonly status: 'pending' | 'skipped'
  /** The body is what a scenario wants sent, in no format that it would have to be put in. */
  readonly verbatim?: boolean | undefined
  /** How its attempts misbehave; null for attempts as they should be. */
  readonly plan: DeliveryPlan | null
}

export interface Delivery extends Omit<NewDelivery, 'status'> {
  readonly status: DeliveryStatus
  /** Where the latest attempt went; null before the first. */
  readonly url: string | null
  readonly attempts: readonly Attempt[]
}

/** One POST of a delivery. Written before it is sent, finished afterwards. */
export interface Attempt {
  /** From 1. */
  readonly n: number
  readonly at: EpochMs
  readonly wallAt: EpochMs
  readonly url: string
  readonly outcome: AttemptOutcome
  readonly status: number | null
  /** Wall milliseconds from the claim to the verdict; null while unknown. */
  readonly ms: number | null
  readonly requestHeaders: Readonly<Record<string, string>>
  readonly responseBody: string | null
  readonly error: string | null
}

/** A delivery that has been claimed for one attempt. */
export interface ClaimedDelivery extends NewDelivery {
  /** The number of the attempt that the claim has written as `unknown`; the fence of `finishAttempt`. */
  readonly attempt: number
  /** Only if a fault has it sent again: how many attempts were accepted since. */
  readonly accepted?: number | undefined
}

/** How an attempt ended, and what becomes of its delivery. */
export interface AttemptResult {
  readonly outcome: Exclude<AttemptOutcome, 'unknown'>
  readonly status: number | null
  readonly ms: number
  readonly requestHeaders: Readonly<Record<string, string>>
  readonly responseBody: string | null
  readonly error: string | null
  readonly next:
    | { readonly status: 'delivered' | 'dead' }
    | { readonly status: 'pending'; readonly dueAt: EpochMs }
}

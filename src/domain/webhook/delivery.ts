import type { SettingsOverlay } from '../choices/settings.ts'
import type { EpochMs } from '../text/time.ts'
import type { PlannedFaults } from './faults/faults.ts'

/** The number of copies of a delivery sent by hand. */
export interface ManualCopies {
  readonly copies: number
  readonly together: boolean
}

export type DeliveryStatus = 'pending' | 'delivered' | 'dead' | 'skipped' | 'held'

/** `unknown`: before the end of an attempt, also after a crash. */
export type AttemptOutcome = 'accepted' | 'refused' | 'timeout' | 'connection' | 'unknown'

/** The faults and settings of a delivery's attempts; stored with it as JSON. */
export interface DeliveryPlan {
  /** The scenario's settings that the sender reads. */
  readonly settings?: SettingsOverlay | undefined
  /** The faults of attempts; later ones take precedence. */
  readonly faults?: readonly PlannedFaults[] | undefined
  /** The maximum number of attempts. */
  readonly attempts?: number | undefined
  /** The behaviours of a sweep that it shows. */
  readonly by?: readonly string[] | undefined
  /** Whether it is delayed on purpose. Until it is due, later events of its order do not wait for it (N46). */
  readonly delayed?: true | undefined
  /** The delay after the answer of its create call. */
  readonly delayMs?: number | undefined
}

/** An event on its way: the outbox row, written in the same commit as its change. */
export interface NewDelivery {
  readonly id: string
  /** The same in every attempt, so that receivers can drop repeats. */
  readonly webhookId: string
  readonly clientId: string
  readonly requestId: string
  readonly orderId: string
  /** The position among the events of its order, from 1; 0 outside of any order's sequence (simulations). */
  readonly sequence: number
  readonly eventType: string
  readonly orderStatus: string
  readonly orderType: string
  /** The exact text that is sent, the same in every attempt. */
  readonly body: string
  readonly createdAt: EpochMs
  /** null while it waits for the answer of its create call (`Store.releaseAnswer`). */
  readonly dueAt: EpochMs | null
  /** `skipped` if no URL was registered when it should have left (N48). */
  readonly status: 'pending' | 'skipped'
  /** The body is sent verbatim for a scenario, without a wire format. */
  readonly verbatim?: boolean | undefined
  /** The faults of its attempts; null for none. */
  readonly plan: DeliveryPlan | null
}

export interface Delivery extends Omit<NewDelivery, 'status'> {
  readonly status: DeliveryStatus
  /** The destination of the latest attempt; null before the first. */
  readonly url: string | null
  readonly attempts: readonly Attempt[]
}

/** One POST of a delivery. Written before it is sent, completed afterwards. */
export interface Attempt {
  /** From 1. */
  readonly n: number
  readonly at: EpochMs
  readonly wallAt: EpochMs
  readonly url: string
  readonly outcome: AttemptOutcome
  readonly status: number | null
  /** Wall-clock milliseconds from the claim to the result; null while unknown. */
  readonly ms: number | null
  readonly requestHeaders: Readonly<Record<string, string>>
  readonly responseBody: string | null
  readonly error: string | null
}

/** A delivery that has been claimed for one attempt. */
export interface ClaimedDelivery extends NewDelivery {
  /** The number of the attempt that the claim has written as `unknown`; `finishAttempt` must name it. */
  readonly attempt: number
  /** Only if a fault sends it again: the number of attempts accepted since. */
  readonly accepted?: number | undefined
}

/** The end of an attempt, and the next status of its delivery. */
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

import type { SettingsOverlay } from '../choices/settings.ts'
import type { EpochMs } from '../text/time.ts'
import type { EventBatch } from './batch-form.ts'
import type { PlannedFaults } from './faults/faults.ts'

/** How many copies of a webhook are sent by hand, and whether at the same time. */
export interface ManualCopies {
  readonly copies: number
  readonly together: boolean
}

export type DeliveryStatus = 'pending' | 'delivered' | 'dead' | 'skipped' | 'held'

/** The outcome of an attempt; `unknown` until it ends, also after a crash. */
export type AttemptOutcome = 'accepted' | 'refused' | 'timeout' | 'connection' | 'unknown'

/** The faults and settings of a delivery's attempts; stored with it as JSON. */
export interface DeliveryPlan {
  /** The settings of the scenario that concern the sending of webhooks. */
  readonly settings?: SettingsOverlay | undefined
  /** The headers that the settings add (N75), by name in lower case. */
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** The faults of the attempts; later entries take precedence. */
  readonly faults?: readonly PlannedFaults[] | undefined
  /** The maximum number of attempts of the delivery. */
  readonly attempts?: number | undefined
  /** The behaviours of a sweep that affect the delivery. */
  readonly by?: readonly string[] | undefined
  /** Whether the delivery is delayed on purpose. Until it is due, later events of the order do not wait for it
   *  (N46). */
  readonly delayed?: true | undefined
  /** The delay of the delivery after the answer to the create call. */
  readonly delayMs?: number | undefined
}

/** A webhook to send: the outbox row, written in the same commit as the change of its order. */
export interface NewDelivery {
  readonly id: string
  /** The id in the header `webhook-id`, the same in every attempt, so that receivers can recognize repetitions. */
  readonly webhookId: string
  readonly clientId: string
  readonly requestId: string
  readonly orderId: string
  /** The position among the events of its order, from 1; 0 outside of any order's sequence (simulations). */
  readonly sequence: number
  readonly eventType: string
  readonly orderStatus: string
  readonly orderType: string
  /** The exact text to send, the same in every attempt but for its number (`attemptOf`). */
  readonly body: string
  readonly createdAt: EpochMs
  /** When the delivery is due; null while it waits for the answer to the create call (`Store.releaseAnswer`). */
  readonly dueAt: EpochMs | null
  /** `skipped` if no URL was registered at the time of sending (N48). */
  readonly status: 'pending' | 'skipped'
  /** True if the scenario wrote the body, which is then sent without a wire format. */
  readonly verbatim?: boolean | undefined
  /** The faults of the delivery's attempts; null for none. */
  readonly plan: DeliveryPlan | null
  /** The webhook of several events with which it goes out; left out before its first attempt, and for one that goes
   *  alone (N82). */
  readonly batch?: EventBatch | undefined
}

export interface Delivery extends Omit<NewDelivery, 'status'> {
  readonly status: DeliveryStatus
  /** The URL of the latest attempt; null before the first. */
  readonly url: string | null
  readonly attempts: readonly Attempt[]
}

/** One POST of a delivery. It is stored before it is sent, and completed afterwards. */
export interface Attempt {
  /** The number of the attempt, from 1. */
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
  /** The number of accepted attempts, for a delivery that a fault sends again after it was accepted. */
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

import type { Settings, SettingsOverlay } from '../domain/choices/settings.ts'
import type { Client } from '../domain/client/client.ts'
import type { DeliveryFault, FaultsMet } from '../domain/faults/planned-fault.ts'
import type { EpochMs } from '../domain/text/time.ts'
import type { Place } from '../domain/webhook/connection-advice.ts'
import type { AttemptResult, ClaimedDelivery, Delivery } from '../domain/webhook/delivery.ts'
import { faultsAt } from '../domain/webhook/faults/attempt-faults.ts'
import type { AttemptEnd, Store } from '../store/store.ts'
import { pause } from '../time/timers.ts'
import { wallNow } from '../time/wall.ts'
import { attemptRequest } from './attempt-request.ts'
import type { Batch, InFlight } from './in-flight.ts'
import { dropped, judge, lost } from './judge.ts'
import type { WebhookFetchAt } from './receiving-function.ts'
import type { Sender } from './sender.ts'
import type { Targets } from './targets.ts'

/** The parts of the emulator that the outbox uses. */
export interface OutboxContext {
  readonly store: Store
  /** The addresses that webhooks may go to. */
  readonly targets: Targets
  /** Functions in this process that take webhooks instead of the network. */
  readonly webhookFetchAt?: WebhookFetchAt | undefined
  /** Whether the emulator runs on a machine or in a container. */
  readonly place: Place
  readonly client: (clientId: string) => Client | undefined
  /** The settings of a client, under the overlay of a scenario. */
  readonly settings: (clientId: string, over?: SettingsOverlay) => Settings
  readonly now: (clientId: string) => EpochMs
  /** Hides the client's secrets in a text. */
  readonly mask: (text: string, clientId: string) => string
  /** Lets the scheduler look again for due deliveries of a client. */
  readonly wake: (clientId: string) => void
  /** Pauses the webhooks of a client after its endpoint answered 410. */
  readonly pauseWebhooks: (clientId: string, url: string) => Promise<void>
  /** Stores the end of an attempt, with its effect on the client's endpoint.
   *  @param counts false if nothing was sent
   *  @returns null if nothing was stored (see `Store.finishAttempt`) */
  readonly finishAttempt: (
    end: AttemptEnd,
    about: { url: string; counts: boolean },
  ) => Promise<{ pausedAfter: number | null } | null>
  /** The planned faults for deliveries of a client; null for none. */
  readonly faults: (clientId: string) => readonly DeliveryFault[] | null
  readonly onFaultsMet: (met: FaultsMet) => void
  readonly emit: (event: OutboxEvent) => void
  readonly onError: (error: unknown) => void
}

/** The events of deliveries. */
export type OutboxEvent =
  /** The attempts are stored and about to be sent. */
  | { readonly type: 'claimed'; readonly deliveries: readonly ClaimedDelivery[] }
  | {
      readonly type: 'attempt'
      readonly delivery: ClaimedDelivery
      readonly url: string
      readonly at: EpochMs
      readonly result: AttemptResult
      /** The settings under which it was sent. */
      readonly settings: Settings
      /** Whether it carried more than one signature. */
      readonly severalSignatures?: boolean | undefined
      /** The number of failures in a row, if this attempt has paused the client's webhooks (N72). */
      readonly pausedAfter?: number | undefined
    }
  | { readonly type: 'skipped'; readonly delivery: Delivery }
  /** Deliveries that were sent by hand, or put on hold. */
  | {
      readonly type: 'deliveries'
      readonly change: 'made' | 'held'
      readonly clientId: string
      readonly ids: readonly string[]
    }

/** Where and when one POST of a claimed delivery is sent. */
export interface AttemptTarget {
  readonly url: string
  /** The client's time for `webhook.signTime: virtual`. */
  readonly at: EpochMs
  readonly batch: Batch
  readonly sender: Sender
}

/** An attempt that has ended. */
export interface MadeAttempt {
  readonly result: AttemptResult
  /** Whether it carried more than one signature. */
  readonly severalSignatures?: boolean | undefined
}

/** Makes one attempt: builds the request with its faults, sends it, and judges the answer.
 *  @returns null if a reset or a removal of the client has made the answer meaningless */
export async function attempt(
  delivery: ClaimedDelivery,
  { url, at, batch, sender }: AttemptTarget,
  { client: find, settings: settingsOf, mask, now }: OutboxContext,
  inFlight: InFlight,
): Promise<MadeAttempt | null> {
  const { clientId, plan } = delivery
  const client = find(clientId)
  if (inFlight.isDropped(clientId, batch) || client === undefined) return null
  const faults = faultsAt(plan, delivery.attempt)
  if (faults.drop) return { result: dropped }
  if (faults.pauseMs !== undefined) {
    await pause(faults.pauseMs)
    if (inFlight.isDropped(clientId, batch)) return null
  }
  const settings = settingsOf(clientId, plan?.settings)
  const request = attemptRequest(delivery, faults, {
    client,
    settings,
    times: { wallNow: wallNow(), now: at },
  })
  const answer = faults.lost
    ? lost
    : await inFlight.answer(sender.post(url, request, settings['webhook.timeout']), clientId, batch)
  // A client that was removed has no clock to read any more.
  if (answer === null || find(clientId) === undefined) return null
  const result = judge(delivery, request.headers, answer, {
    settings,
    faults,
    now: now(clientId),
    mask: (text) => mask(text, clientId),
  })
  return { result, severalSignatures: request.severalSignatures }
}

interface ModelAttempt {
  readonly at: number
  readonly url: string | null
  readonly outcome: 'accepted' | 'refused' | 'connection' | 'unknown'
  readonly status: number | null
}

/** The event of a webhook. */
export interface Told {
  readonly requestId: string
  readonly orderStatus: string
  readonly orderType: string
  readonly errorCode: string | null
}

/** An event as the model imagines its way. */
export interface ModelDelivery extends Told {
  /** Name of its order. */
  readonly order: string
  /** `C1 r3@+0 COMPLETED`: each status of an order has one event. */
  readonly event: string
  status: 'pending' | 'delivered' | 'dead' | 'skipped' | 'held'
  dueAt: number
  /** The first attempt has ended, or there will be none: later events need not wait. */
  hadItsTurn: boolean
  /** Where it is on its way to at this moment. */
  inFlight: string | null
  /** While it is on its way: whether a fault makes it fail whatever it is answered. */
  failsAnyway: boolean | null
  /** How often it is still sent again once it is accepted; null if no fault has doubled it. */
  copiesLeft: number | null
  /** No hold keeps back its next attempt. */
  released: boolean
  /** Place of its first attempt among all that the client was sent; null before that. */
  firstSent: number | null
  readonly attempts: ModelAttempt[]
}

/** Creates an event of now.
 *  @param order the name of its order
 *  @param hasUrl whether the client has a webhook URL (N48) */
export function modelDelivery(
  order: string,
  told: Told,
  { now, hasUrl }: { now: number; hasUrl: boolean },
): ModelDelivery {
  return {
    order,
    event: `${order} ${told.orderStatus}`,
    ...told,
    status: hasUrl ? 'pending' : 'skipped',
    dueAt: now,
    hadItsTurn: !hasUrl,
    inFlight: null,
    failsAnyway: null,
    copiesLeft: null,
    released: false,
    firstSent: null,
    attempts: [],
  }
}

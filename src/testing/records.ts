import type { ListField } from '../store/list-fields.ts'
import type { ControlApi } from './control-api.ts'
import type { Delivery, HandMadeDelivery, HoldRequest, JournalEntry, Order, VerifyRequest } from './shapes.ts'

/** How many requests must match. Default: at least one. */
export type Expected = Pick<VerifyRequest, 'count' | 'atLeast' | 'atMost'>

/** The request log: requests of the application to the service. */
export class Requests {
  readonly #control: ControlApi

  constructor(control: ControlApi) {
    this.#control = control
  }

  /** Lists matching requests, oldest first: `{ operation: 'create-checkout-order', status: 401 }`. Each refused request
   *  has a `diagnosis`. */
  list(filter: Filter<'requests'> = {}): Promise<JournalEntry[]> {
    return this.#control.list('/requests', filter)
  }

  /** Returns a request and its answer. The header `emulator-request-id` of an answer is its id. */
  get(id: string): Promise<JournalEntry> {
    return this.#control.call('GET', `/requests/${encodeURIComponent(id)}`)
  }

  /** Verifies what the application sent: `verify({ operation: 'create-order', 'body.fiatAmount': '10.00' }, { count: 1
   *  })`. Dotted names reach into JSON bodies.
   *  @returns how many requests match
   *  @throws NotAsExpected with the nearest misses */
  async verify(where: WhereOf<JournalEntry>, expected: Expected = {}): Promise<number> {
    const { count } = await this.#control.call<{ count: number }>('POST', '/requests/verify', {
      body: { where, ...expected },
    })
    return count
  }
}

/** Webhook deliveries, with every attempt. */
export class Deliveries {
  readonly #control: ControlApi

  constructor(control: ControlApi) {
    this.#control = control
  }

  /** Lists matching deliveries, oldest first: `{ requestId: 'r1', status: 'dead' }`. */
  list(filter: Filter<'deliveries'> = {}): Promise<Delivery[]> {
    return this.#control.list('/deliveries', filter)
  }

  /** Returns a delivery with its attempts.
   *  @throws ControlCallRefused (404) if there is none */
  get(id: string): Promise<Delivery> {
    return this.#control.call('GET', `/deliveries/${encodeURIComponent(id)}`)
  }

  /** Sends a webhook by hand, now: valid, forged, damaged, old or duplicated. Returns when all copies have finished.
   *  @throws ControlCallRefused without a webhook URL */
  send(delivery: HandMadeDelivery): Promise<Delivery> {
    return this.#control.call('POST', '/deliveries', { body: delivery })
  }

  /** Sends a delivery again, whatever its status. */
  resend(id: string): Promise<Delivery> {
    return this.#control.call('POST', `/deliveries/${encodeURIComponent(id)}/resend`)
  }

  /** Holds matching deliveries, present and future, until `release`.
   *  @returns how many are held now */
  async hold(where: HoldRequest['where'] = {}): Promise<number> {
    const { held } = await this.#control.call<{ held: number }>('POST', '/deliveries/hold', {
      body: { where },
    })
    return held
  }

  /** Releases held deliveries.
   *  @param where the filter of the hold, exactly as given; without it, all holds end
   *  @returns how many were released */
  async release(where?: HoldRequest['where']): Promise<number> {
    const { released } = await this.#control.call<{ released: number }>('POST', '/deliveries/release', {
      body: where === undefined ? {} : { where },
    })
    return released
  }
}

/** The objects that `waitFor` can wait for, by kind. */
export interface Watched {
  /** An order, with `waitFor('order', …)`. */
  readonly order: Order
  /** A webhook delivery, with `waitFor('delivery', …)`. */
  readonly delivery: Delivery
  /** An entry of the request log, with `waitFor('request', …)`. */
  readonly request: JournalEntry
}

/** Selects entries of a list by fields that must be equal, as in the list call of the control API. A text may end in
 *  `*`. Three fields are options: */
export type Filter<Kind extends 'orders' | 'deliveries' | 'requests'> = {
  readonly [Member in ListField<Kind>]?: string | number | boolean | undefined
} & {
  /** A text to search for in ids, e-mail or path. */
  readonly search?: string | undefined
  /** Which entries come first. Default: `oldest`. */
  readonly order?: 'oldest' | 'newest' | undefined
  /** The maximum number of entries. Default: all. */
  readonly limit?: number | undefined
}

/** Selects orders, deliveries, requests or webhooks by fields that must be equal. A text may end in `*`; `null`
 *  matches a missing field; dotted names reach into objects, lists (`attempts.0.status`) and JSON bodies
 *  (`body.fiatAmount`). */
export type WhereOf<Thing> = {
  readonly [Member in keyof Thing & string]?: Wanted | undefined
} & { readonly [dottedName: string]: Wanted | undefined }

/** The expected value of a field. */
export type Wanted = string | number | boolean | null

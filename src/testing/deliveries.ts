import type { ControlApi } from './control-api.ts'
import type { Filter } from './filters.ts'
import type { Delivery, HandMadeDelivery, HoldRequest } from './shapes.ts'

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
   *  @param where of the hold, exactly as given; without it, all holds end
   *  @returns how many were released */
  async release(where?: HoldRequest['where']): Promise<number> {
    const { released } = await this.#control.call<{ released: number }>('POST', '/deliveries/release', {
      body: where === undefined ? {} : { where },
    })
    return released
  }
}

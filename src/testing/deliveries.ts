import type { ControlApi } from './control-api.ts'
import type { Filter } from './filters.ts'
import type { Delivery, HandMadeDelivery, HoldRequest } from './shapes.ts'

/** Webhooks on their way, with every attempt. */
export class Deliveries {
  readonly #control: ControlApi

  constructor(control: ControlApi) {
    this.#control = control
  }

  /** Deliveries that fit, the oldest first: `{requestId: 'r1', status: 'dead'}`. */
  list(filter: Filter<'deliveries'> = {}): Promise<Delivery[]> {
    return this.#control.list('/deliveries', filter)
  }

  /** A delivery with its attempts. @throws ControlCallRefused (404) */
  get(id: string): Promise<Delivery> {
    return this.#control.call('GET', `/deliveries/${encodeURIComponent(id)}`)
  }

  /** Sends a webhook by hand, now: forged, damaged, old, doubled. Answered once all copies have ended.
   *  @throws ControlCallRefused (no webhook URL) */
  send(delivery: HandMadeDelivery): Promise<Delivery> {
    return this.#control.call('POST', '/deliveries', { body: delivery })
  }

  /** Sends a delivery once more, whatever became of it. */
  resend(id: string): Promise<Delivery> {
    return this.#control.call('POST', `/deliveries/${encodeURIComponent(id)}/resend`)
  }

  /** Keeps deliveries that fit back, and coming ones too, until a release.
   *  @returns how many are held already */
  async hold(where: HoldRequest['where'] = {}): Promise<number> {
    const { held } = await this.#control.call<{ held: number }>('POST', '/deliveries/hold', {
      body: { where },
    })
    return held
  }

  /** Ends the hold of exactly these words, or all holds without any.
   *  @returns how many were let go */
  async release(where?: HoldRequest['where']): Promise<number> {
    const { released } = await this.#control.call<{ released: number }>('POST', '/deliveries/release', {
      body: where === undefined ? {} : { where },
    })
    return released
  }
}

import type { ControlApi } from './control-api.ts'
import type { Filter, WhereOf } from './filters.ts'
import type { JournalEntry, VerifyRequest } from './shapes.ts'

/** How many there are to be; at least one if nothing is said. */
export type Expected = Pick<VerifyRequest, 'count' | 'atLeast' | 'atMost'>

/** What the application has asked of the service: the journal. */
export class Requests {
  readonly #control: ControlApi

  constructor(control: ControlApi) {
    this.#control = control
  }

  /** Requests that fit, the oldest first: `{operation: 'create-checkout-order', status: 401}`. Each refusal has a
   *  `diagnosis`. */
  list(filter: Filter<'requests'> = {}): Promise<JournalEntry[]> {
    return this.#control.list('/requests', filter)
  }

  /** A request and its answer; each answer of the service names its entry in the header `emulator-request-id`. */
  get(id: string): Promise<JournalEntry> {
    return this.#control.call('GET', `/requests/${encodeURIComponent(id)}`)
  }

  /** Verifies which requests the application has sent: `verify({operation: 'create-order', 'body.fiatAmount':
   *  '10.00'}, {count: 1})`. Dotted names go into JSON bodies.
   *  @returns how many fit
   *  @throws NotAsExpected, with the nearest misses */
  async verify(where: WhereOf<JournalEntry>, expected: Expected = {}): Promise<number> {
    const { count } = await this.#control.call<{ count: number }>('POST', '/requests/verify', {
      body: { where, ...expected },
    })
    return count
  }
}

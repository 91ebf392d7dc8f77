import type { ControlApi } from './control-api.ts'
import type { Filter, WhereOf } from './filters.ts'
import type { JournalEntry, VerifyRequest } from './shapes.ts'

/** How many requests must match. Default: at least one. */
export type Expected = Pick<VerifyRequest, 'count' | 'atLeast' | 'atMost'>

/** The request log: what the application sent to the service. */
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

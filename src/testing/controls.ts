import { TestClock } from './clock.ts'
import type { ControlApi, ControlCallOptions } from './control-api.ts'
import { Deliveries } from './deliveries.ts'
import { Faults } from './faults.ts'
import { Orders } from './orders.ts'
import { Requests } from './requests.ts'
import { Scenarios } from './scenarios.ts'
import type { Delivery, JournalEntry, Order, Settings, Snapshot, Where } from './shapes.generated.ts'

interface Awaited {
  readonly order: Order
  readonly delivery: Delivery
  readonly request: JournalEntry
}

const usualWaitMs = 10_000
const graceMs = 5_000

/** What a test may do: to one client's world, or to all of them. */
export class Controls {
  readonly clock: TestClock
  readonly orders: Orders
  readonly deliveries: Deliveries
  readonly requests: Requests
  readonly faults: Faults
  readonly scenarios: Scenarios
  protected readonly api: ControlApi

  constructor(api: ControlApi) {
    this.api = api
    this.clock = new TestClock(api)
    this.orders = new Orders(api)
    this.deliveries = new Deliveries(api)
    this.requests = new Requests(api)
    this.faults = new Faults(api)
    this.scenarios = new Scenarios(api)
  }

  /** Waits until an order, a delivery or a request is as wanted: `waitFor('order', {requestId: 'r1', orderStatus:
   *  'COMPLETED'})`. At once if it is so already. No clock moves by it: where time stands still, advance it.
   *  @param options `timeoutMs`: wall milliseconds, 10,000 if left out; 0 asks how things stand
   *  @returns the thing
   *  @throws NotAsExpected in vain, with the nearest misses */
  waitFor<Kind extends keyof Awaited>(
    kind: Kind,
    where: Where,
    { timeoutMs = usualWaitMs }: { readonly timeoutMs?: number } = {},
  ): Promise<Awaited[Kind]> {
    const body = { for: kind, where, timeoutMs }
    return this.api.call('POST', '/wait', { body, withinMs: timeoutMs + graceMs })
  }

  /** The settings as they hold, and where each was set. */
  settings(): Promise<Settings> {
    return this.api.call('GET', '/settings')
  }

  /** Changes settings at once, by dotted name: `{'orders.expiry': '30m'}`; null takes one back.
   *  @throws ControlCallRefused for an unknown name or a wrong value */
  changeSettings(changes: Readonly<Record<string, unknown>>): Promise<Settings> {
    return this.api.call('PATCH', '/settings', { body: changes })
  }

  /** Saves the world: every order, delivery, clock. */
  snapshot(): Promise<Snapshot> {
    return this.api.call('GET', '/snapshot')
  }

  /** Puts a saved world in the place of this one. */
  async restore(snapshot: Snapshot): Promise<void> {
    await this.api.call('PUT', '/snapshot', { body: snapshot })
  }

  /** Back to the start. @param keep what stays: `clients` (their credentials and settings), `scenarios` */
  async reset({ keep = [] }: { readonly keep?: readonly ('clients' | 'scenarios')[] } = {}): Promise<void> {
    await this.api.call('POST', '/reset', { body: { keep } })
  }

  /** Any other call of the control API. @param path what follows `/_emulator` */
  control<T>(method: string, path: string, options: ControlCallOptions = {}): Promise<T> {
    return this.api.call(method, path, options)
  }
}

import { TestClock } from './clock.ts'
import type { ControlApi, ControlCallOptions, EventStream } from './control-api.ts'
import { Orders } from './orders.ts'
import type { Watched, WhereOf } from './records.ts'
import { Deliveries, Requests } from './records.ts'
import { Scenarios } from './scenarios.ts'
import type {
  Clock,
  Coverage,
  Fault,
  FaultRequest,
  Ledger,
  SettingName,
  Settings,
  Snapshot,
  Status,
  User,
} from './shapes.ts'

/** Planned faults of the API and of deliveries. A fault applies once unless it says otherwise. */
export class Faults {
  readonly #control: ControlApi

  constructor(control: ControlApi) {
    this.#control = control
  }

  /** Plans a fault: `{ on: 'create-order', effect: { status: 503 } }`, `{ on: 'delivery', effect: { duplicate: 1 } }`.
   *  @throws ControlCallRefused for an invalid fault */
  plan(fault: FaultRequest): Promise<Fault> {
    return this.#control.call('POST', '/faults', { body: fault })
  }

  /** Lists all planned faults. */
  list(): Promise<Fault[]> {
    return this.#control.list('/faults')
  }

  /** Returns a fault. `hits` counts how often it was applied.
   *  @throws ControlCallRefused (404) if there is none */
  get(id: string): Promise<Fault> {
    return this.#control.call('GET', `/faults/${encodeURIComponent(id)}`)
  }

  /** Removes a fault.
   *  @returns the fault */
  remove(id: string): Promise<Fault> {
    return this.#control.call('DELETE', `/faults/${encodeURIComponent(id)}`)
  }

  /** Removes all faults. */
  async clear(): Promise<void> {
    await this.#control.call('DELETE', '/faults')
  }
}

/** New values of settings, by dotted name or in groups. `null` removes a value, so that the next lower level
 *  applies. */
export type SettingChanges = { readonly [Name in SettingName]?: unknown } & {
  readonly [name: string]: unknown
}

const usualWaitMs = 10_000
const graceMs = 5_000

/** Calls that clients and emulators share. On a client they apply to that client, on an emulator to all clients. */
export class Controls<Walked extends Ledger = Ledger, Reading extends Clock = Clock> {
  readonly clock: TestClock<Walked, Reading>
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

  /** Waits until an order, a delivery or a request matches: `waitFor('order', { requestId: 'r1', orderStatus:
   *  'COMPLETED' })`. It moves no clock: on a manual clock, advance it.
   *  @param options `timeoutMs`: milliseconds of wall-clock time. Default: 10,000; 0 checks once.
   *  @returns the order, delivery or request
   *  @throws NotAsExpected after the timeout, with the nearest misses */
  waitFor<Kind extends keyof Watched>(
    kind: Kind,
    where: WhereOf<Watched[Kind]>,
    { timeoutMs = usualWaitMs }: { readonly timeoutMs?: number | undefined } = {},
  ): Promise<Watched[Kind]> {
    const body = { for: kind, where, timeoutMs }
    return this.api.call('POST', '/wait', { body, withinMs: timeoutMs + graceMs })
  }

  /** Opens a stream of all events from now on. */
  events(): Promise<EventStream> {
    return this.api.events()
  }

  /** Returns the effective settings, and where each of them was set. */
  settings(): Promise<Settings> {
    return this.api.call('GET', '/settings')
  }

  /** Changes settings, effective from the next call and the next webhook: `{ 'orders.expiry': '30m' }`.
   *  @throws ControlCallRefused for an unknown name or an invalid value */
  changeSettings(changes: SettingChanges): Promise<Settings> {
    return this.api.call('PATCH', '/settings', { body: changes })
  }

  /** Counts the orders and deliveries of each client by status, and reports the next due time. */
  status(): Promise<Status> {
    return this.api.call('GET', '/status')
  }

  /** Returns which hazards, answers and statuses the tests have met since the start. */
  coverage(): Promise<Coverage> {
    return this.api.call('GET', '/coverage')
  }

  /** Resets the coverage counts. */
  async resetCoverage(): Promise<void> {
    await this.api.call('DELETE', '/coverage')
  }

  /** Lists the payers of the orders. */
  users(): Promise<User[]> {
    return this.api.list('/users')
  }

  /** Returns a snapshot of all state, or of one client's state only. */
  snapshot(): Promise<Snapshot> {
    return this.api.call('GET', '/snapshot')
  }

  /** Replaces the state with a snapshot, in this or any other emulator. The snapshot of a client affects no other
   *  client.
   *  @returns the ids of the restored clients
   *  @throws ControlCallRefused for another document, or a snapshot of a newer format */
  async restore(snapshot: Snapshot): Promise<string[]> {
    const query = { clientId: this.api.clientId ?? snapshot.clientId ?? undefined }
    const { clients } = await this.api.call<{ clients: string[] }>('PUT', '/snapshot', {
      query,
      body: snapshot,
    })
    return clients
  }

  /** Removes orders, deliveries, requests, faults and planned scenarios. A client retains its credentials, settings
   *  and clock; an emulator returns to its state at the start.
   *  @param options `keep`: the data that an emulator retains, `clients` or `scenarios` (added ones) */
  async reset(
    options: { readonly keep?: readonly ('clients' | 'scenarios')[] | undefined } = {},
  ): Promise<void> {
    await this.api.call('POST', '/reset', { body: options })
  }

  /** Makes any other call of the control API.
   *  @param path what follows `/_emulator` */
  control<T>(method: string, path: string, options: ControlCallOptions = {}): Promise<T> {
    return this.api.call(method, path, options)
  }
}

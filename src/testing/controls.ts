import { TestClock } from './clock.ts'
import type { ControlApi, ControlCallOptions } from './control-api.ts'
import { Deliveries } from './deliveries.ts'
import type { EventStream } from './event-stream.ts'
import { Faults } from './faults.ts'
import type { Watched, WhereOf } from './filters.ts'
import { Orders } from './orders.ts'
import { Requests } from './requests.ts'
import { Scenarios } from './scenarios.ts'
import type { Clock, Coverage, Ledger, SettingName, Settings, Snapshot, Status, User } from './shapes.ts'

/** Settings with what they are to be, by dotted name or in groups. */
export type SettingChanges = { readonly [Name in SettingName]?: unknown } & {
  readonly [name: string]: unknown
}

const usualWaitMs = 10_000
const graceMs = 5_000

/** What a test may do: to one client's world, or to all of them. */
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

  /** Waits until an order, a delivery or a request is as wanted: `waitFor('order', {requestId: 'r1', orderStatus:
   *  'COMPLETED'})`. At once if it is so already. No clock moves by it: where time stands still, advance it.
   *  @param options `timeoutMs`: wall milliseconds, 10,000 if left out; 0 asks how things stand
   *  @returns the thing
   *  @throws NotAsExpected in vain, with the nearest misses */
  waitFor<Kind extends keyof Watched>(
    kind: Kind,
    where: WhereOf<Watched[Kind]>,
    { timeoutMs = usualWaitMs }: { readonly timeoutMs?: number | undefined } = {},
  ): Promise<Watched[Kind]> {
    const body = { for: kind, where, timeoutMs }
    return this.api.call('POST', '/wait', { body, withinMs: timeoutMs + graceMs })
  }

  /** Listens to what happens from now on. */
  events(): Promise<EventStream> {
    return this.api.events()
  }

  /** The settings as they hold, and where each was set. */
  settings(): Promise<Settings> {
    return this.api.call('GET', '/settings')
  }

  /** Changes settings at once, by dotted name: `{'orders.expiry': '30m'}`; null takes one back.
   *  @throws ControlCallRefused for an unknown name or a wrong value */
  changeSettings(changes: SettingChanges): Promise<Settings> {
    return this.api.call('PATCH', '/settings', { body: changes })
  }

  /** How many orders and deliveries each client has, by their status, and what is due next. */
  status(): Promise<Status> {
    return this.api.call('GET', '/status')
  }

  /** What the tests have met of what the provider can do, since the start: hazards, answers, statuses. */
  coverage(): Promise<Coverage> {
    return this.api.call('GET', '/coverage')
  }

  /** Forgets what was met, so that counting begins again. */
  async resetCoverage(): Promise<void> {
    await this.api.call('DELETE', '/coverage')
  }

  /** The people for whom orders were made. */
  users(): Promise<User[]> {
    return this.api.list('/users')
  }

  /** Saves the world: every order, delivery, clock. Of a client, its own. */
  snapshot(): Promise<Snapshot> {
    return this.api.call('GET', '/snapshot')
  }

  /** Puts a saved world in the place of this one; here or in any other emulator it goes on as it would have. A snapshot
   *  of one client touches no other, and can be restored where there is no such client yet.
   *  @returns the clientIds that came with it
   *  @throws ControlCallRefused (a snapshot of something else, or of a newer version) */
  async restore(snapshot: Snapshot): Promise<string[]> {
    const query = { clientId: this.api.clientId ?? snapshot.clientId ?? undefined }
    const { clients } = await this.api.call<{ clients: string[] }>('PUT', '/snapshot', {
      query,
      body: snapshot,
    })
    return clients
  }

  /** Back to the start: no orders, deliveries, requests, faults or planned scenarios. A client keeps its credentials,
   *  settings and clock; without `keep`, an emulator loses the clients that it was not started with.
   *  @param options `keep`: what stays of an emulator: `clients`, `scenarios` (those that were put) */
  async reset(
    options: { readonly keep?: readonly ('clients' | 'scenarios')[] | undefined } = {},
  ): Promise<void> {
    await this.api.call('POST', '/reset', { body: options })
  }

  /** Any other call of the control API. @param path what follows `/_emulator` */
  control<T>(method: string, path: string, options: ControlCallOptions = {}): Promise<T> {
    return this.api.call(method, path, options)
  }
}

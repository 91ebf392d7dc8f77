import type { FaultyCall } from '../domain/faults/planned-fault.ts'
import {
  type DeliveryFault,
  endFor,
  type FaultCount,
  type FaultEnd,
  type FaultsMet,
  type FittingFault,
  isUsedUp,
  type PlannedFault,
  type StoredFault,
} from '../domain/faults/planned-fault.ts'
import type { FaultRequest } from '../domain/faults/planned-fault-text.ts'
import { parseFaultAction } from '../domain/faults/planned-fault-text.ts'
import { wordFor } from '../domain/journal/call-words.ts'
import type { Order } from '../domain/order/order.ts'
import type { AppliedRule } from '../domain/scenario/answer-rules.ts'
import { EmulatorError } from '../domain/text/errors.ts'
import type { EpochMs } from '../domain/text/time.ts'
import { fits } from '../domain/text/where.ts'
import type { ListQuery, Page, Store } from '../store/store.ts'
import type { Scheduler } from '../time/scheduler.ts'
import type { Clients } from './clients.ts'
import type { Load } from './world-loader.ts'

/** The limit of faults per client, and of faults for all clients. Finished faults are evicted first. */
const mostFaults = 1_000

/** The faults planned over the control API: planning, removal, and matching with calls and webhook attempts. */
export class PlannedFaults {
  readonly #store: Store
  readonly #clients: Clients
  readonly #clocks: FaultClocks
  readonly #seed: () => string
  readonly #onError: (error: unknown) => void
  readonly #known = new FaultRegistry()

  constructor(options: {
    store: Store
    clients: Clients
    scheduler: Scheduler
    seed: () => string
    wall: () => number
    onError: (error: unknown) => void
  }) {
    const { clients, scheduler, wall } = options
    this.#onError = options.onError
    this.#store = options.store
    this.#clients = clients
    this.#seed = options.seed
    this.#clocks = {
      clients,
      now: (clientId) => (clientId === null ? wall() : scheduler.now(clientId)),
    }
  }

  /** Loads stored faults. A fault that this version cannot read is left out and reported. */
  readonly load: Load = async () => {
    const kept = await this.#store.faults()
    return () => {
      this.#known.removeAll()
      for (const fault of kept) {
        const read = parseFaultAction(fault.asked)
        if ('deed' in read) this.#known.add({ ...fault, does: read.deed })
        else
          this.#onError(
            new Error(`fault ${fault.id}: ${read.problems.map(({ message }) => message).join('; ')}`),
          )
      }
    }
  }

  /** Plans a fault of a client, or of all clients. Takes a turn among the changes of clients, so that no two fill
   *  the same free place.
   *  @throws invalid_input, too_many_faults, client_unknown */
  plan(request: FaultRequest, clientId: string | null): Promise<StoredFault & FaultCount> {
    return this.#clients.turns.take(async () => {
      const ends = faultEnd(request, clientId, this.#clocks)
      await this.#makeRoom(clientId)
      const planned = await this.#store.addFault({ clientId, asked: request.asked, ends }, this.#seed())
      this.#known.add({ ...planned, does: request.does })
      return planned
    })
  }

  /** Removes a fault and returns its last state.
   *  @throws fault_unknown */
  async remove(id: string): Promise<StoredFault & FaultCount> {
    const removed = this.get(id)
    await this.#store.deleteFaults({ id })
    this.#known.remove([id])
    return removed
  }

  /** @throws fault_unknown */
  get(id: string): StoredFault & FaultCount {
    const found = this.#known.get(id)
    if (found === undefined) throw new EmulatorError('fault_unknown', { id })
    return found
  }

  /** Lists finished or unfinished faults; all if `over` is left out.
   *  @throws bad_cursor */
  list(
    { clientId, cursor, limit, newestFirst = false }: ListQuery,
    over?: boolean,
  ): Page<StoredFault & FaultCount> {
    const behind = cursor === undefined ? null : placeAt(cursor)
    const known = [...this.#known.all()]
      .filter((fault) => clientId === undefined || fault.clientId === clientId)
      .filter((fault) => over === undefined || this.isOver(fault) === over)
    if (newestFirst) known.reverse()
    const isLater = ({ place }: KnownFault) =>
      behind === null || (newestFirst ? place < behind : place > behind)
    const left = known.filter(isLater)
    const items = left.slice(0, limit)
    const last = items.at(-1)
    return { items, next: last === undefined || left.length <= limit ? null : cursorOf(last) }
  }

  /** Removes all faults, or those of a client.
   *  @returns the number of removed faults */
  async removeAll(clientId?: string): Promise<number> {
    const removed = await this.#store.deleteFaults({ clientId })
    this.forget(clientId)
    return removed
  }

  /** Forgets all faults, or those of a client, after the store removed them. */
  forget(clientId?: string): void {
    this.#known.removeAll(clientId)
  }

  /** Whether a planned fault has ended; see `isOver`. */
  isOver(fault: StoredFault & FaultCount): boolean {
    return isOver(fault, this.#clocks)
  }

  /** Whether any fault has to count a call. */
  concernsCall(call: FaultyCall, orders: readonly Order[]): boolean {
    return this.#fitting(call, orders).length > 0
  }

  /** Counts a call for each matching fault.
   *  @returns the first one that is not finished; null for none */
  async meet(call: FaultyCall, orders: readonly Order[]): Promise<AppliedRule | null> {
    const fitting = this.#fitting(call, orders)
    if (fitting.length === 0) return null
    const { hit, ...met } = await this.#store.countFault(
      fitting.map((fault) => this.#counted(fault, call.clientId)),
    )
    this.met(met)
    const fault = fitting.find(({ id }) => id === hit?.id)
    if (hit === null || fault === undefined || !('calls' in fault.does)) return null
    const { operation, clientId, requestId } = call
    return { rule: fault.does.calls, operation, clientId, requestId, by: fault.id, n: hit.hits }
  }

  /** The faults that may apply to deliveries of a client at its present time; null for none. */
  ofDeliveries(clientId: string): readonly DeliveryFault[] | null {
    const faults = this.#known
      .meeting(clientId)
      .flatMap((fault) =>
        'attempts' in fault.does
          ? [{ ...this.#counted(fault, clientId), where: fault.asked.where, effect: fault.does.attempts }]
          : [],
      )
    return faults.length === 0 ? null : faults
  }

  /** The numbers of unfinished faults by client; the key null stands for faults of all clients. */
  openByClient(): ReadonlyMap<string | null, number> {
    const counts = new Map<string | null, number>()
    for (const fault of this.#known.all()) {
      if (!this.isOver(fault)) counts.set(fault.clientId, (counts.get(fault.clientId) ?? 0) + 1)
    }
    return counts
  }

  /** Updates the counts of planned faults to those of the store. */
  met(met: FaultsMet): void {
    this.#known.met(met)
  }

  #fitting(call: FaultyCall, orders: readonly Order[]): readonly KnownFault[] {
    const { operation, when, clientId, requestId, kind } = call
    const things =
      orders.length === 0
        ? [{ requestId, kind }]
        : orders.map((order) => ({ requestId, kind: order.kind, orderId: order.orderId }))
    return this.#known
      .meeting(clientId)
      .filter(
        ({ does, asked: { where } }) =>
          'calls' in does &&
          does.calls.when === when &&
          wordFor(does.calls.on, operation) !== undefined &&
          things.some((thing) => fits(where, thing)),
      )
  }

  #counted({ id, asked, ends }: KnownFault, clientId: string | null): FittingFault {
    const client = clientId === null ? null : this.#clients.get(clientId)
    return { id, limits: asked, endsAt: endFor(ends, client), at: this.#clocks.now(clientId) }
  }

  /** Evicts the oldest finished fault if the limit is reached.
   *  @throws too_many_faults */
  async #makeRoom(clientId: string | null): Promise<void> {
    const own = this.#known.ownedBy(clientId)
    if (own.length < mostFaults) return
    const over = own.find((each) => this.isOver(each))
    if (over === undefined) {
      const whose = clientId === null ? 'for all clients' : `for "${clientId}"`
      throw new EmulatorError('too_many_faults', { most: String(mostFaults), whose })
    }
    await this.remove(over.id).catch(unlessGone)
  }
}

/** Ignores an error that says that another call has removed the fault. */
function unlessGone(error: unknown): void {
  if (!(error instanceof EmulatorError && error.code === 'fault_unknown')) throw error
}

/** The clocks that decide when planned faults end. */
interface FaultClocks {
  readonly clients: Clients
  /** The time of a client, or the wall clock for null. Throws `client_unknown`. */
  readonly now: (clientId: string | null) => EpochMs
}

/** The time at which a fault ends; null if only its count ends it. A fault of all clients ends on each client's
 *  clock; for a client created later it starts with the client.
 *  @throws invalid_input if that time has passed */
function faultEnd(
  { forMs, until }: Pick<FaultRequest, 'forMs' | 'until'>,
  clientId: string | null,
  { clients, now }: FaultClocks,
): FaultEnd | null {
  if (until !== null) {
    if (clientId !== null) refuseThePast(until, now(clientId))
    return { at: until, of: {}, wallAt: until }
  }
  if (forMs === null) return null
  const wallAt = now(null) + forMs
  if (clientId !== null) return { at: now(clientId) + forMs, of: {}, wallAt }
  const of = clients.all().map((each) => [each.clientId, now(each.clientId) + forMs])
  return { at: wallAt, of: Object.fromEntries(of), wallAt, forMs }
}

/** Whether a fault has no effect any more: its count is used up, or its time has passed on every clock. */
function isOver(
  { clientId, asked, ends, hits }: StoredFault & FaultCount,
  { clients, now }: FaultClocks,
): boolean {
  if (isUsedUp(asked, hits)) return true
  if (ends === null) return false
  const owners = clientId === null ? [null, ...clients.all()] : [clients.find(clientId)]
  return owners.every(
    (owner) => owner !== undefined && hasReached(now, owner, endFor(ends, owner) ?? Infinity),
  )
}

/** Whether a client's clock has reached a time. False for a client that is being replaced: it has no clock. */
function hasReached(
  now: FaultClocks['now'],
  owner: { readonly clientId: string } | null,
  moment: EpochMs,
): boolean {
  try {
    return now(owner?.clientId ?? null) >= moment
  } catch (error) {
    if (error instanceof EmulatorError && error.code === 'client_unknown') return false
    throw error
  }
}

function refuseThePast(until: EpochMs, now: EpochMs): void {
  if (until > now) return
  const [moment, reads] = [until, now].map((at) => new Date(at).toISOString())
  const problems = `until: ${moment} has passed; the client’s clock reads ${reads}`
  throw new EmulatorError('invalid_input', { problems })
}

/** A planned fault in memory. */
type KnownFault = PlannedFault & { -readonly [Member in keyof FaultCount]: FaultCount[Member] } & {
  /** The position of the fault among all faults since the start. */
  readonly place: number
}

const cursorOf = ({ place }: KnownFault): string => `f${place.toString(36)}`

/** @throws bad_cursor */
function placeAt(cursor: string): number {
  const place = Number.parseInt(cursor.slice(1), 36)
  if (`f${place.toString(36)}` !== cursor) throw new EmulatorError('bad_cursor', { cursor })
  return place
}

/** An in-memory index of planned faults, oldest first: every call and every attempt asks for them, and usually there
 *  are none. */
class FaultRegistry {
  readonly #all = new Map<string, KnownFault>()
  #places = 0
  /** The faults that may apply to a client; the key null stands for unknown clients. */
  readonly #byClient = new Map<string | null, readonly KnownFault[]>()

  add(fault: Omit<KnownFault, 'place'>): void {
    this.#places += 1
    this.#all.set(fault.id, { ...fault, place: this.#places })
    this.#byClient.clear()
  }

  get(id: string): KnownFault | undefined {
    return this.#all.get(id)
  }

  remove(ids: readonly string[]): void {
    for (const id of ids) this.#all.delete(id)
    if (ids.length > 0) this.#byClient.clear()
  }

  /** Removes all faults, or those of a client. */
  removeAll(clientId?: string): void {
    this.remove(clientId === undefined ? [...this.#all.keys()] : this.ownedBy(clientId).map(({ id }) => id))
  }

  all(): Iterable<KnownFault> {
    return this.#all.values()
  }

  /** Returns the planned faults of a client, or of all clients. */
  ownedBy(clientId: string | null): readonly KnownFault[] {
    return [...this.#all.values()].filter((fault) => fault.clientId === clientId)
  }

  /** The faults with uses left that may apply to a client, or to an unknown client. */
  meeting(clientId: string | null): readonly KnownFault[] {
    if (this.#all.size === 0) return []
    const known = this.#byClient.get(clientId)
    if (known !== undefined) return known
    const found = [...this.#all.values()].filter(
      (fault) =>
        (fault.clientId === null || fault.clientId === clientId) && !isUsedUp(fault.asked, fault.hits),
    )
    this.#byClient.set(clientId, found)
    return found
  }

  /** Updates the counts of planned faults to those of the store. */
  met({ counts, gone }: FaultsMet): void {
    this.remove(gone)
    for (const { id, calls, hits } of counts) {
      const fault = this.#all.get(id)
      // If two calls are counted at the same time, the older result may arrive last.
      if (fault === undefined || calls < fault.calls) continue
      Object.assign(fault, { calls, hits })
      if (isUsedUp(fault.asked, hits)) this.#byClient.clear()
    }
  }
}

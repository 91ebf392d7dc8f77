import { EmulatorError } from '../domain/errors.ts'
import { readDeed } from '../domain/fault/fault-deed.ts'
import {
  type DeliveryFault,
  endFor,
  type FaultCount,
  type FaultsMet,
  type FittingFault,
  faultId,
  isUsedUp,
  type PlannedFault,
} from '../domain/fault/planned-fault.ts'
import type { FaultRequest } from '../domain/fault/planned-fault-text.ts'
import type { Operation } from '../domain/journal-entry.ts'
import type { Order } from '../domain/order.ts'
import { type AnswerFault, wordFor } from '../domain/scenario/answer-faults.ts'
import type { EpochMs } from '../domain/time.ts'
import { fits } from '../domain/where.ts'
import type { Store, StoredFault } from '../store/store.ts'
import type { Scheduler } from '../time/scheduler.ts'
import type { FaultyCall } from './api-faults.ts'
import type { Clients } from './clients.ts'
import { faultEnd } from './fault-end.ts'

/** Of one client, and of all. Those that are over give way. */
const mostFaults = 1_000

type Entry = PlannedFault & FaultCount

/** The faults that were planned over the control API, kept in memory over the store: every call and each attempt asks
 *  for them, and mostly there are none. The store has the counts; those here may be behind. */
export class FaultPlans {
  readonly #store: Store
  readonly #clients: Clients
  readonly #scheduler: Scheduler
  readonly #seed: () => string
  readonly #wall: () => number
  /** The oldest first. */
  #all: readonly Entry[] = []
  /** Those that may meet something of a client, or of nobody known. */
  readonly #byClient = new Map<string | null, readonly Entry[]>()
  /** By client, or for all: how many were planned. Ids follow from it, and must not depend on other clients. */
  readonly #places = new Map<string | null, number>()

  constructor(options: {
    store: Store
    clients: Clients
    scheduler: Scheduler
    seed: () => string
    wall: () => number
  }) {
    this.#store = options.store
    this.#clients = options.clients
    this.#scheduler = options.scheduler
    this.#seed = options.seed
    this.#wall = options.wall
  }

  /** Takes up what the store has. One that this version no longer understands is left out.
   *  @returns what is wrong with those, a line each */
  async load(): Promise<string[]> {
    const problems: string[] = []
    const entries: Entry[] = []
    this.#places.clear()
    for (const fault of await this.#store.faults()) {
      this.#nextPlace(fault.clientId)
      const read = readDeed(fault.asked)
      if ('deed' in read) entries.push({ ...fault, does: read.deed })
      else problems.push(`fault ${fault.id}: ${read.problems.map(({ message }) => message).join('; ')}`)
    }
    this.#set(entries)
    return problems
  }

  /** Plans a fault of a client, or of all. @throws invalid_input, too_many_faults, client_unknown */
  async plan(request: FaultRequest, clientId: string | null): Promise<StoredFault & FaultCount> {
    const ends = faultEnd(request, clientId, {
      clients: this.#clients,
      now: (owner) => this.#now(owner),
    })
    const fault = { clientId, asked: request.asked, ends }
    this.#forgetGone()
    await this.#makeRoom(clientId)
    for (;;) {
      const stored = { ...fault, id: faultId(fault, this.#seed(), this.#nextPlace(clientId)) }
      // After a restart the places are counted anew, and some may be taken.
      if (!(await this.#store.addFault(stored))) continue
      const counted = { ...stored, calls: 0, hits: 0 }
      this.#set([...this.#all, { ...counted, does: request.does }])
      return counted
    }
  }

  /** Removes a fault, and answers it as it was. @throws fault_unknown */
  async remove(id: string): Promise<StoredFault & FaultCount> {
    const removed = await this.#store.deleteFault(id)
    this.#set(this.#all.filter((each) => each.id !== id))
    return removed
  }

  /** Removes all faults, or those that belong to a client; answers how many. */
  async removeAll(clientId?: string): Promise<number> {
    const removed = await this.#store.deleteFaults(clientId)
    this.forget(clientId)
    return removed
  }

  /** Forgets all faults, or those that belong to a client; the store has forgotten them already. */
  forget(clientId?: string): void {
    if (clientId === undefined) this.#places.clear()
    else this.#places.delete(clientId)
    this.#set(clientId === undefined ? [] : this.#all.filter((each) => each.clientId !== clientId))
  }

  /** Forgets the faults of clients that are gone. */
  #forgetGone(): void {
    const isKept = ({ clientId }: Entry) => clientId === null || this.#clients.find(clientId) !== undefined
    for (const { clientId } of this.#all.filter((each) => !isKept(each))) this.#places.delete(clientId)
    if (!this.#all.every(isKept)) this.#set(this.#all.filter(isKept))
  }

  /** Whether a fault does nothing more: it is used up, or its time has passed: on every clock, if it is of all clients. */
  isOver({ clientId, asked, ends, hits }: StoredFault & FaultCount): boolean {
    if (isUsedUp(asked, hits)) return true
    const owners =
      clientId === null ? [null, ...this.#clients.all().map((each) => each.clientId)] : [clientId]
    return ends !== null && owners.every((owner) => this.#hasReached(owner, endFor(ends, owner) ?? Infinity))
  }

  /** Whether a call may meet a fault at all. */
  mayMeet(operation: Operation, clientId: string | null): boolean {
    return this.#of(clientId).some(
      ({ does }) => 'calls' in does && wordFor(does.calls, operation) !== undefined,
    )
  }

  /** Whether there is anything to count for a call. */
  concernsCall(call: FaultyCall, orders: readonly Order[]): boolean {
    return this.#fitting(call, orders).length > 0
  }

  /** Counts a call for the faults that fit it; null at once if none does. The first that is not over is done. */
  meet(call: FaultyCall, orders: readonly Order[]): Promise<AnswerFault | null> | null {
    const fitting = this.#fitting(call, orders)
    return fitting.length === 0 ? null : this.#count(call, fitting)
  }

  /** Those that may be done to deliveries of a client, as its clock stands; null if there are none. */
  ofDeliveries(clientId: string): readonly DeliveryFault[] | null {
    const faults = this.#of(clientId).flatMap((entry) =>
      'attempts' in entry.does
        ? [{ ...this.#counted(entry, clientId), where: entry.asked.where, effect: entry.does.attempts }]
        : [],
    )
    return faults.length === 0 ? null : faults
  }

  /** Takes over what the store has counted. */
  met({ counts, gone }: FaultsMet): void {
    if (counts.length + gone.length === 0) return
    const now = new Map(counts.map((count) => [count.id, count]))
    const left = this.#all.filter(({ id }) => !gone.includes(id))
    this.#set(
      left.map((entry) => {
        const count = now.get(entry.id)
        // Of two that were counted at once, the answer of the first may come last.
        return count === undefined || count.calls < entry.calls ? entry : { ...entry, ...count }
      }),
    )
  }

  async #count(call: FaultyCall, fitting: readonly Entry[]): Promise<AnswerFault | null> {
    const { hit, ...met } = await this.#store.countFault(
      fitting.map((entry) => this.#counted(entry, call.clientId)),
    )
    this.met(met)
    const fault = fitting.find(({ id }) => id === hit?.id)
    if (hit === null || fault === undefined || !('calls' in fault.does)) return null
    const { operation, clientId, requestId } = call
    return { rule: fault.does.calls, operation, clientId, requestId, by: fault.id, n: hit.hits }
  }

  #fitting(call: FaultyCall, orders: readonly Order[]): readonly Entry[] {
    const { operation, when, clientId, requestId, kind } = call
    const things =
      orders.length === 0
        ? [{ requestId, kind }]
        : orders.map((order) => ({ requestId, kind: order.kind, orderId: order.orderId }))
    return this.#of(clientId).filter(
      ({ does, asked: { where } }) =>
        'calls' in does &&
        does.calls.when === when &&
        wordFor(does.calls, operation) !== undefined &&
        things.some((thing) => fits(where, thing)),
    )
  }

  #counted({ id, asked, ends }: Entry, clientId: string | null): FittingFault {
    return { id, limits: asked, endsAt: endFor(ends, clientId), at: this.#now(clientId), seed: this.#seed() }
  }

  /** Those that are not used up. */
  #of(clientId: string | null): readonly Entry[] {
    if (this.#all.length === 0) return []
    const known = this.#byClient.get(clientId)
    if (known !== undefined) return known
    const found = this.#all.filter(
      (entry) =>
        (entry.clientId === null || entry.clientId === clientId) && !isUsedUp(entry.asked, entry.hits),
    )
    this.#byClient.set(clientId, found)
    return found
  }

  #set(all: readonly Entry[]): void {
    this.#all = all
    this.#byClient.clear()
  }

  #nextPlace(clientId: string | null): number {
    const place = this.#places.get(clientId) ?? 0
    this.#places.set(clientId, place + 1)
    return place
  }

  /** False for a client that is being replaced: for that moment it has no clock. */
  #hasReached(clientId: string | null, moment: EpochMs): boolean {
    try {
      return this.#now(clientId) >= moment
    } catch (error) {
      if (error instanceof EmulatorError && error.code === 'client_unknown') return false
      throw error
    }
  }

  #now(clientId: string | null): EpochMs {
    return clientId === null ? this.#wall() : this.#scheduler.now(clientId)
  }

  /** The oldest that is over gives way. @throws too_many_faults */
  async #makeRoom(clientId: string | null): Promise<void> {
    const own = this.#all.filter((each) => each.clientId === clientId)
    if (own.length < mostFaults) return
    const over = own.find((each) => this.isOver(each))
    if (over === undefined) {
      const whose = clientId === null ? 'of all clients' : `of "${clientId}"`
      throw new EmulatorError('too_many_faults', { most: String(mostFaults), whose })
    }
    await this.remove(over.id)
  }
}

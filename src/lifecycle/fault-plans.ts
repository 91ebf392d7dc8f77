import { EmulatorError } from '../domain/errors.ts'
import { readDeed } from '../domain/fault/fault-deed.ts'
import type { FaultyCall } from '../domain/fault/faulty-call.ts'
import {
  type DeliveryFault,
  endFor,
  type FaultCount,
  type FaultsMet,
  type FittingFault,
} from '../domain/fault/planned-fault.ts'
import type { FaultRequest } from '../domain/fault/planned-fault-text.ts'
import type { Operation } from '../domain/journal-entry.ts'
import type { LookedUpOrder } from '../domain/order.ts'
import { type AnswerFault, wordFor } from '../domain/scenario/answer-faults.ts'
import { fits } from '../domain/where.ts'
import type { Store, StoredFault } from '../store/store.ts'
import type { Scheduler } from '../time/scheduler.ts'
import type { Clients } from './clients.ts'
import { type FaultClocks, faultEnd, isOver } from './fault-ends.ts'
import { FaultRegistry, type KnownFault } from './fault-registry.ts'

/** Of one client, and of all. Those that are over give way. */
const mostFaults = 1_000

/** The faults that were planned over the control API: how they come and go, and which calls and attempts meet them. */
export class FaultPlans {
  readonly #store: Store
  readonly #clients: Clients
  readonly #clocks: FaultClocks
  readonly #seed: () => string
  readonly #known = new FaultRegistry()

  constructor(options: {
    store: Store
    clients: Clients
    scheduler: Scheduler
    seed: () => string
    wall: () => number
  }) {
    const { clients, scheduler, wall } = options
    this.#store = options.store
    this.#clients = clients
    this.#seed = options.seed
    this.#clocks = {
      clients,
      now: (clientId) => (clientId === null ? wall() : scheduler.now(clientId)),
    }
  }

  /** Takes up what the store has. One that this version no longer understands is left out.
   *  @returns what is wrong with those, a line each */
  async load(): Promise<string[]> {
    const problems: string[] = []
    const faults: KnownFault[] = []
    for (const fault of await this.#store.faults()) {
      const read = readDeed(fault.asked)
      if ('deed' in read) faults.push({ ...fault, does: read.deed })
      else problems.push(`fault ${fault.id}: ${read.problems.map(({ message }) => message).join('; ')}`)
    }
    this.#known.replaceAll(faults)
    return problems
  }

  /** Plans a fault of a client, or of all. It takes its turn among the changes of clients, so that no two find the
   *  same room. @throws invalid_input, too_many_faults, client_unknown */
  plan(request: FaultRequest, clientId: string | null): Promise<StoredFault & FaultCount> {
    return this.#clients.turns.take(async () => {
      const ends = faultEnd(request, clientId, this.#clocks)
      await this.#makeRoom(clientId)
      const planned = await this.#store.addFault({ clientId, asked: request.asked, ends }, this.#seed())
      this.#known.add({ ...planned, does: request.does })
      return planned
    })
  }

  /** Removes a fault, and answers it as it was. @throws fault_unknown */
  async remove(id: string): Promise<StoredFault & FaultCount> {
    const removed = await this.#store.deleteFault(id)
    this.#known.remove([id])
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
    this.#known.removeAll(clientId)
  }

  /** @see isOver */
  isOver(fault: StoredFault & FaultCount): boolean {
    return isOver(fault, this.#clocks)
  }

  /** Whether a call may meet a fault at all. */
  mayMeet(operation: Operation, clientId: string | null): boolean {
    return this.#known
      .meeting(clientId)
      .some(({ does }) => 'calls' in does && wordFor(does.calls, operation) !== undefined)
  }

  /** Whether there is anything to count for a call. */
  concernsCall(call: FaultyCall, orders: readonly LookedUpOrder[]): boolean {
    return this.#fitting(call, orders).length > 0
  }

  /** Counts a call for the faults that fit it; null at once if none does. The first that is not over is done. */
  meet(call: FaultyCall, orders: readonly LookedUpOrder[]): Promise<AnswerFault | null> | null {
    const fitting = this.#fitting(call, orders)
    return fitting.length === 0 ? null : this.#count(call, fitting)
  }

  /** Those that may be done to deliveries of a client, as its clock stands; null if there are none. */
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

  /** How many there are that are not over, by the client they belong to; null stands for those of all. */
  openByClient(): ReadonlyMap<string | null, number> {
    const counts = new Map<string | null, number>()
    for (const fault of this.#known.all()) {
      if (!this.isOver(fault)) counts.set(fault.clientId, (counts.get(fault.clientId) ?? 0) + 1)
    }
    return counts
  }

  /** Takes over what the store has counted. */
  met(met: FaultsMet): void {
    this.#known.met(met)
  }

  async #count(call: FaultyCall, fitting: readonly KnownFault[]): Promise<AnswerFault | null> {
    const { hit, ...met } = await this.#store.countFault(
      fitting.map((fault) => this.#counted(fault, call.clientId)),
    )
    this.met(met)
    const fault = fitting.find(({ id }) => id === hit?.id)
    if (hit === null || fault === undefined || !('calls' in fault.does)) return null
    const { operation, clientId, requestId } = call
    return { rule: fault.does.calls, operation, clientId, requestId, by: fault.id, n: hit.hits }
  }

  #fitting(call: FaultyCall, orders: readonly LookedUpOrder[]): readonly KnownFault[] {
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
          wordFor(does.calls, operation) !== undefined &&
          things.some((thing) => fits(where, thing)),
      )
  }

  #counted({ id, asked, ends }: KnownFault, clientId: string | null): FittingFault {
    const client = clientId === null ? null : this.#clients.get(clientId)
    return { id, limits: asked, endsAt: endFor(ends, client), at: this.#clocks.now(clientId) }
  }

  /** The oldest that is over gives way. @throws too_many_faults */
  async #makeRoom(clientId: string | null): Promise<void> {
    const own = this.#known.ownedBy(clientId)
    if (own.length < mostFaults) return
    const over = own.find((each) => this.isOver(each))
    if (over === undefined) {
      const whose = clientId === null ? 'of all clients' : `of "${clientId}"`
      throw new EmulatorError('too_many_faults', { most: String(mostFaults), whose })
    }
    await this.remove(over.id).catch(unlessGone)
  }
}

/** Somebody else has removed it meanwhile. */
function unlessGone(error: unknown): void {
  if (!(error instanceof EmulatorError && error.code === 'fault_unknown')) throw error
}

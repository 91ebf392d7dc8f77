import type { SettingsOverlay } from '../../../src/domain/choices/settings.ts'
import type { Client, Generation, IssuedToken } from '../../../src/domain/client/client.ts'
import type { FaultCount, StoredFault } from '../../../src/domain/faults/planned-fault.ts'
import type { AnswerCount } from '../../../src/domain/fixture/world.ts'
import type { JournalEntry } from '../../../src/domain/journal/entry.ts'
import type { Binding } from '../../../src/domain/order/decision.ts'
import type { HistoryEntry, Order } from '../../../src/domain/order/order.ts'
import { EmulatorError } from '../../../src/domain/text/errors.ts'
import type { Delivery } from '../../../src/domain/webhook/delivery.ts'
import type { CompiledScenario } from '../../../src/store/store.ts'

/** Everything the store has. The records in the maps are frozen, so a copy of the maps is a copy of everything. */
export class State {
  /** null before the first `begin`. */
  seed: string | null = null
  settings: SettingsOverlay = {}
  /** Of all clients. */
  plannedFaults = 0
  prunedRequests = 0
  /** The last number that was given out. Generations and places in lists are never given out twice. */
  lastNumber = 0
  readonly clients = new Map<string, StoredClient>()
  /** By their text. */
  readonly tokens = new Map<string, IssuedToken>()
  readonly orders = new Map<string, StoredOrder>()
  readonly deliveries = new Map<string, StoredDelivery>()
  readonly scenarios = new Map<string, CompiledScenario>()
  readonly texts = new Map<string, string>()
  readonly bindings = new Map<string, Placed<Binding>>()
  readonly faults = new Map<string, StoredFault & FaultCount & { readonly place: number }>()
  /** By what they are counted under, as JSON. */
  readonly answerCounts = new Map<string, AnswerCount>()
  readonly requests = new Map<string, Placed<JournalEntry>>()

  copy(): State {
    const copy = new State()
    for (const [name, value] of Object.entries(this))
      Reflect.set(copy, name, value instanceof Map ? new Map(value) : value)
    return copy
  }
}

export interface StoredClient {
  readonly client: Client
  readonly generation: Generation
  readonly plannedFaults: number
}

/** Something with its place in the order of making. */
export interface Placed<T> {
  readonly place: number
  readonly thing: T
}

export interface StoredOrder extends Placed<Order> {
  readonly history: readonly HistoryEntry[]
}

export interface StoredDelivery extends Placed<Delivery> {
  readonly inFlight: boolean
  /** Later events of its order wait for it. */
  readonly blocking: boolean
  /** No hold keeps its next attempt back. */
  readonly released: boolean
}

/** Access to the state. Verbs run in the order of their calls. */
export interface Memory {
  read<T>(verb: (state: State) => T): Promise<T>
  /** Runs a verb on a copy, which becomes the state if the verb does not throw. */
  write<T>(verb: (state: State) => T | Promise<T>): Promise<T>
  /** Writes, unless the client has another generation. Throws `world_ended`. */
  writeIn<T>(world: InWorld, verb: (state: State) => T): Promise<T>
}

interface InWorld {
  readonly clientId: string
  readonly generation: Generation
}

/** A frozen copy: neither the caller who handed it in nor one who gets it as an answer can change it. */
export const own = <T>(value: T): T => frozen(structuredClone(value))

function frozen<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value)
    for (const member of Object.values(value)) frozen(member)
  }
  return value
}

export function nextNumber(state: State): number {
  state.lastNumber += 1
  return state.lastNumber
}

export const isCurrent = (state: State, { clientId, generation }: InWorld): boolean =>
  state.clients.get(clientId)?.generation === generation

/** Changes some members of a client. @throws client_unknown */
export function changeClient(state: State, clientId: string, members: Partial<Client>): void {
  const before = clientOf(state, clientId)
  state.clients.set(clientId, own({ ...before, client: { ...before.client, ...members } }))
}

/** @throws client_unknown */
export function clientOf(state: State, clientId: string): StoredClient {
  const found = state.clients.get(clientId)
  if (found === undefined) throw new EmulatorError('client_unknown', { clientId })
  return found
}

import { EmulatorError } from '../../../src/domain/text/errors.ts'
import type { Backlog, Store } from '../../../src/store/store.ts'
import { deliveryVerbs, ended } from './deliveries.ts'
import { orderVerbs } from './orders.ts'
import { plannedVerbs } from './planned.ts'
import { requestVerbs } from './requests.ts'
import { isCurrent, type Memory, own, State } from './state.ts'
import { worldVerbs } from './worlds.ts'

/** The contract of the store with nothing but maps: the proof that it asks for no database. */
export function memoryStore(): Store {
  let state = new State()
  let isClosed = false
  let last: Promise<unknown> = Promise.resolve()

  const inOrder = <T>(verb: () => T | Promise<T>): Promise<T> => {
    if (isClosed) return Promise.reject(new Error('The store is closed.'))
    const answer = last.then(verb)
    last = answer.catch(() => {})
    return answer
  }
  const memory: Memory = {
    read: (verb) => inOrder(() => verb(state)),
    write: (verb) =>
      inOrder(async () => {
        const changed = state.copy()
        const answer = await verb(changed)
        state = changed
        return answer
      }),
    writeIn: (world, verb) =>
      memory.write((state) => {
        if (!isCurrent(state, world)) throw new EmulatorError('world_ended')
        return verb(state)
      }),
  }

  return {
    begin: (seed) =>
      memory.write((state) => {
        for (const [id, delivery] of state.deliveries) state.deliveries.set(id, ended(delivery))
        state.seed ??= seed
        return state.seed
      }),
    close: async () => {
      isClosed = true
      await last
    },
    ...orderVerbs(memory),
    ...plannedVerbs(memory),
    ...deliveryVerbs(memory),
    ...requestVerbs(memory),
    commonSettings: () => memory.read(({ settings }) => settings),
    saveCommonSettings: (settings) =>
      memory.write((state) => {
        state.settings = own(settings)
      }),
    backlog: (clientId) => memory.read((state) => backlog(state, clientId)),
    counts: () =>
      memory.read((state) => ({
        orders: countedBy(state.orders.values(), (order) => order.orderStatus),
        deliveries: countedBy(state.deliveries.values(), (delivery) => delivery.status),
      })),
    ...worldVerbs(memory),
  }
}

function backlog(state: State, clientId: string | undefined): Backlog {
  const isMine = ({ thing }: { readonly thing: { readonly clientId: string } }) =>
    clientId === undefined || thing.clientId === clientId
  const deliveries = [...state.deliveries.values()].filter(isMine)
  const ofStatus = (status: string) => deliveries.filter(({ thing }) => thing.status === status).length
  return {
    orders: [...state.orders.values()].filter(isMine).length,
    pendingDeliveries: ofStatus('pending'),
    heldDeliveries: ofStatus('held'),
    keptRequests: clientId === undefined ? state.requests.size : null,
    prunedRequests: clientId === undefined ? state.prunedRequests : null,
  }
}

function countedBy<T extends { readonly clientId: string }>(
  all: Iterable<{ readonly thing: T }>,
  statusOf: (thing: T) => string,
): Map<string, Record<string, number>> {
  const counted = new Map<string, Record<string, number>>()
  for (const { thing } of all) {
    const counts = counted.get(thing.clientId) ?? {}
    counts[statusOf(thing)] = (counts[statusOf(thing)] ?? 0) + 1
    counted.set(thing.clientId, counts)
  }
  return counted
}

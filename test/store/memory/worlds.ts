import type { Client, Generation, IssuedToken } from '../../../src/domain/client/client.ts'
import {
  blocksAtFirst,
  type CommonWorld,
  type WorldDelivery,
  type WorldPart,
} from '../../../src/domain/fixture/world.ts'
import { EmulatorError } from '../../../src/domain/text/errors.ts'
import type { Generations, Store } from '../../../src/store/store.ts'
import { addOrder, endTokens } from './orders.ts'
import { addBinding, addScenario, countKey, inOrder, textsOf } from './planned.ts'
import { addRequest } from './requests.ts'
import {
  changeClient,
  clientOf,
  isCurrent,
  type Memory,
  nextNumber,
  own,
  type State,
  type StoredOrder,
} from './state.ts'

/** Clients and their worlds: made, emptied, loaded, taken. */
export const worldVerbs = ({ read, write, writeIn }: Memory) =>
  ({
    createClient: (client) => write((state) => addClient(state, client)),

    saveClient: (client, tokensEndAt) =>
      write((state) => {
        const { began } = clientOf(state, client.clientId).client
        refuseTakenToken(state, client.clientId, client.accessToken)
        changeClient(state, client.clientId, { ...client, began })
        if (tokensEndAt !== undefined) endTokens(state, client.clientId, tokensEndAt)
      }),

    deleteClient: (clientId) =>
      write((state) => {
        clientOf(state, clientId)
        emptyWorld(state, clientId, true)
      }),

    clients: () =>
      read((state) =>
        [...state.clients.values()].map(({ client, generation }) => ({
          client,
          generation,
          newestMoment: newestMoment(state, client.clientId),
        })),
      ),

    saveClocks: (clocks) =>
      write((state) => {
        for (const { clock, ...world } of clocks)
          if (isCurrent(state, world)) changeClient(state, world.clientId, { clock })
      }),

    saveToken: (token, generation, forgetBefore, othersEndAt) =>
      writeIn({ clientId: token.clientId, generation }, (state) => {
        addToken(state, token)
        if (othersEndAt !== undefined) endTokens(state, token.clientId, othersEndAt, token.token)
        for (const { token: text, clientId, expiresAt } of state.tokens.values())
          if (clientId === token.clientId && expiresAt < forgetBefore) state.tokens.delete(text)
      }),

    tokens: () => read((state) => [...state.tokens.values()]),

    reset: ({ clientId, clients, scenarios = false }) =>
      write((state) => {
        if (scenarios) state.texts.clear()
        if (clientId === undefined) return resetAll(state, clients)
        emptyWorld(state, clientId, clients)
        return state.clients.has(clientId) ? new Map([[clientId, renew(state, clientId)]]) : new Map()
      }),

    load: (world, replaced) =>
      write(async (state) => {
        if (replaced === 'all') {
          resetAll(state, true)
          state.texts.clear()
          state.prunedRequests = 0
        } else for (const clientId of replaced) emptyWorld(state, clientId, true)
        const generations = new Map<string, Generation>()
        const deliveries: WorldDelivery[] = []
        for await (const part of world) {
          if (replaced === 'all' && part.common !== undefined) takeCommon(state, part.common)
          for (const { plannedFaults, ...client } of part.clients ?? [])
            generations.set(client.clientId, addClient(state, client, plannedFaults))
          addPart(state, part)
          deliveries.push(...(part.orders ?? []).flatMap((order) => order.deliveries))
          deliveries.push(...(part.deliveries ?? []))
        }
        const placeOf = ({ place = Number.MAX_SAFE_INTEGER }: WorldDelivery) => place
        for (const each of deliveries.sort((a, b) => placeOf(a) - placeOf(b))) addWorldDelivery(state, each)
        return generations
      }),

    snapshot: (clientId) => read((state) => partsOf(state, clientId)),
  }) satisfies Partial<Store>

/** @throws client_exists */
function addClient(state: State, client: Client, plannedFaults = 0): Generation {
  const { clientId, accessToken } = client
  if (state.clients.has(clientId)) throw new EmulatorError('client_exists', { clientId })
  refuseTakenToken(state, clientId, accessToken)
  const generation = nextNumber(state)
  state.clients.set(clientId, own({ client, generation, plannedFaults }))
  return generation
}

/** @throws client_exists */
function addToken(state: State, token: IssuedToken): void {
  const { clientId } = token
  if (state.tokens.has(token.token)) throw new EmulatorError('client_exists', { clientId })
  refuseTakenToken(state, clientId, token.token)
  state.tokens.set(token.token, own(token))
}

/** @throws client_exists */
function refuseTakenToken(state: State, clientId: string, token: string): void {
  const owned = [...state.clients.values()].map(({ client }) => ({ ...client, token: client.accessToken }))
  if ([...owned, ...state.tokens.values()].some((each) => each.token === token && each.clientId !== clientId))
    throw new EmulatorError('client_exists', { clientId })
}

function newestMoment(state: State, clientId: string): number | null {
  const own = [...state.orders.values()].filter(({ thing }) => thing.clientId === clientId)
  return own.length === 0 ? null : Math.max(...own.map(({ thing }) => thing.createdAt))
}

function resetAll(state: State, withClients: boolean): Generations {
  for (const entries of worldOf(state)) entries.clear()
  state.plannedFaults = 0
  state.settings = {}
  if (withClients) state.clients.clear()
  return new Map([...state.clients.keys()].map((clientId) => [clientId, renew(state, clientId)]))
}

/** Begins the next world of a client, whose last one has been emptied. */
function renew(state: State, clientId: string): Generation {
  const { client } = clientOf(state, clientId)
  const generation = nextNumber(state)
  const renewed = { ...client, ownTokenExpired: false, tokensRefusedUntil: null }
  state.clients.set(clientId, own({ client: renewed, generation, plannedFaults: 0 }))
  return generation
}

const worldOf = (state: State) => [
  ...[state.tokens, state.orders, state.deliveries, state.bindings],
  ...[state.faults, state.answerCounts, state.requests],
]

function emptyWorld(state: State, clientId: string, withClient = false): void {
  if (withClient) state.clients.delete(clientId)
  for (const entries of worldOf(state))
    for (const [key, each] of entries)
      if (('thing' in each ? each.thing : each).clientId === clientId) entries.delete(key)
}

function takeCommon(state: State, common: CommonWorld): void {
  const { seed, settings, scenarioTexts, plannedFaults, prunedRequests } = common
  Object.assign(state, { seed, settings: own(settings), plannedFaults, prunedRequests })
  for (const { id, text } of scenarioTexts) {
    if (state.texts.has(id)) throw new EmulatorError('snapshot_taken', { clientId: '' })
    state.texts.set(id, text)
  }
}

/** Adds what is not a client or a delivery. */
function addPart(state: State, part: WorldPart): void {
  const taken = (clientId: string | null) => new EmulatorError('snapshot_taken', { clientId: clientId ?? '' })
  for (const token of part.tokens ?? []) addToken(state, token)
  for (const { version, scenario, format } of part.scenarios ?? [])
    addScenario(state, version, { scenarioJson: JSON.stringify(scenario), format })
  for (const binding of part.bindings ?? []) addBinding(state, binding, taken(binding.clientId))
  const places = inOrder(state).map(({ place }) => place)
  const areFree = part.faults?.every(({ place = places[0] ?? 0 }) => !places.includes(place))
  for (const fault of part.faults ?? []) {
    if (state.faults.has(fault.id)) throw taken(fault.clientId)
    const place = (areFree ? fault.place : undefined) ?? nextNumber(state)
    state.lastNumber = Math.max(state.lastNumber, place)
    state.faults.set(fault.id, own({ ...fault, place }))
  }
  for (const count of part.answerCounts ?? []) {
    if (state.answerCounts.has(countKey(count))) throw taken(count.clientId)
    state.answerCounts.set(countKey(count), own(count))
  }
  for (const order of part.orders ?? []) addOrder(state, order)
  for (const entry of part.requests ?? []) addRequest(state, entry, taken(entry.clientId))
}

function addWorldDelivery(state: State, delivery: WorldDelivery): void {
  const { place: _, released = false, blocking = blocksAtFirst(delivery), ...thing } = delivery
  const { id, clientId } = thing
  if (state.deliveries.has(id)) throw new EmulatorError('snapshot_taken', { clientId })
  state.deliveries.set(id, own({ place: nextNumber(state), thing, inFlight: false, blocking, released }))
}

/** So many orders, or entries of the request log, at a time. */
const partLength = 100

async function* partsOf(state: State, clientId?: string): AsyncGenerator<WorldPart, undefined> {
  const isMine = (owner: string | null) => clientId === undefined || owner === clientId
  const mine = <T extends { readonly clientId: string | null }>(all: Iterable<T>): T[] =>
    [...all].filter((each) => isMine(each.clientId))
  const orders = [...state.orders.values()].filter(({ thing }) => isMine(thing.clientId))
  if (clientId === undefined) yield { common: commonOf(state) }
  const followed = new Set(orders.map(({ thing }) => thing.scenario.version))
  yield {
    clients: mine(
      [...state.clients.values()].map(({ client, plannedFaults }) => ({ ...client, plannedFaults })),
    ),
    tokens: mine(state.tokens.values()),
    scenarios: [...state.scenarios].flatMap(([version, { scenarioJson, format }]) =>
      followed.has(version) ? [{ version, format, scenario: JSON.parse(scenarioJson) }] : [],
    ),
    bindings: mine([...state.bindings.values()].map(({ thing }) => thing)),
    faults: mine(inOrder(state)),
    answerCounts: mine(state.answerCounts.values()),
  }
  const deliveries = [...state.deliveries.values()].filter(({ thing }) => isMine(thing.clientId))
  const byOrder = Map.groupBy(deliveries, ({ thing }) =>
    state.orders.get(thing.orderId)?.thing.clientId === thing.clientId ? thing.orderId : null,
  )
  const worldDeliveries = (orderId: string | null): WorldDelivery[] =>
    (byOrder.get(orderId) ?? []).map(({ thing, inFlight: _, ...marks }) => ({ ...thing, ...marks }))
  const worldOrder = ({ thing: order, history }: StoredOrder) => ({
    order,
    history,
    deliveries: worldDeliveries(order.orderId),
  })
  for (const part of inParts(orders)) yield { orders: part.map(worldOrder) }
  yield { deliveries: worldDeliveries(null) }
  const requests = mine([...state.requests.values()].map(({ thing }) => thing))
  for (const part of inParts(requests)) yield { requests: part }
  return undefined
}

const commonOf = (state: State): CommonWorld => ({
  seed: state.seed ?? '',
  settings: state.settings,
  scenarioTexts: textsOf(state),
  plannedFaults: state.plannedFaults,
  prunedRequests: state.prunedRequests,
})

function* inParts<T>(all: readonly T[]): Generator<T[]> {
  for (let from = 0; from < all.length; from += partLength) yield all.slice(from, from + partLength)
}

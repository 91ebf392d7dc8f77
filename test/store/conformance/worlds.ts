import {
  blocksAtFirst,
  type World,
  type WorldDelivery,
  type WorldOrder,
  type WorldPart,
} from '../../../src/domain/fixture/world.ts'
import { scenarioFormat } from '../../../src/domain/scenario/scenario.ts'
import type { Attempt } from '../../../src/domain/webhook/delivery.ts'
import type { Store } from '../../../src/store/store.ts'
import { happy } from '../../domain/factories.ts'
import {
  aBinding,
  aClient,
  aCountedCall,
  aDelivery,
  aFault,
  anEntry,
  anOrder,
  aRule,
  aSimulation,
  aToken,
  shop,
} from '../factories.ts'
import { atMost, claim, committed, deliver, finish, generationOf } from './given.ts'

/** The members of `World`, in their order. */
const members = [
  ...(['common', 'clients', 'tokens', 'scenarios', 'bindings', 'faults', 'answerCounts'] as const),
  ...(['orders', 'deliveries', 'requests'] as const),
]

const nothing: World = { clients: [], tokens: [], scenarios: [], orders: [] }

/** Parts in a row, as `load` takes them. */
export async function* inParts(...parts: readonly WorldPart[]): AsyncGenerator<WorldPart, undefined> {
  yield* parts
  return undefined
}

/** A snapshot, read to its end, as one world. Throws if its parts come in another order than the members of `World`. */
export async function taken(store: Store, clientId?: string): Promise<World> {
  return worldOf(await store.snapshot(clientId))
}

export async function worldOf(parts: AsyncIterable<WorldPart>): Promise<World> {
  let world = nothing
  let furthest = 0
  for await (const part of parts) {
    const places = members.flatMap((name, place) => (part[name] === undefined ? [] : [place]))
    if (Math.min(...places) < furthest) throw new Error(`${Object.keys(part)} after ${members[furthest]}`)
    furthest = Math.max(furthest, ...places)
    world = joined(world, part)
  }
  return world
}

const joined = (a: World, b: WorldPart): World => ({
  common: b.common ?? a.common,
  clients: [...a.clients, ...(b.clients ?? [])],
  tokens: [...a.tokens, ...(b.tokens ?? [])],
  scenarios: [...a.scenarios, ...(b.scenarios ?? [])],
  bindings: [...(a.bindings ?? []), ...(b.bindings ?? [])],
  faults: [...(a.faults ?? []), ...(b.faults ?? [])],
  answerCounts: [...(a.answerCounts ?? []), ...(b.answerCounts ?? [])],
  orders: [...a.orders, ...(b.orders ?? [])],
  deliveries: [...(a.deliveries ?? []), ...(b.deliveries ?? [])],
  requests: [...(a.requests ?? []), ...(b.requests ?? [])],
})

/** Normalizes a world, so that two of them can be compared, whoever wrote them. */
export function inOneForm(world: World): World {
  const all = [...world.orders.flatMap(({ deliveries }) => deliveries), ...(world.deliveries ?? [])]
  const made = all.toSorted((a, b) => placeOf(a) - placeOf(b)).map(({ id }) => id)
  const formed = (delivery: WorldDelivery): WorldDelivery => ({
    ...delivery,
    place: made.indexOf(delivery.id),
    released: delivery.released ?? false,
    blocking: delivery.blocking ?? blocksAtFirst(delivery),
  })
  const key = (count: object) => JSON.stringify(Object.entries(count).toSorted())
  return {
    ...joined(nothing, world),
    clients: world.clients.map((client) => ({ plannedFaults: 0, ...client })),
    scenarios: world.scenarios.toSorted((a, b) => (a.version < b.version ? -1 : 1)),
    faults: world.faults?.map(({ place: _, ...fault }) => fault) ?? [],
    answerCounts: world.answerCounts?.toSorted((a, b) => (key(a) < key(b) ? -1 : 1)) ?? [],
    orders: world.orders.map((order) => ({
      ...order,
      uniqueAcrossClients: undefined,
      deliveries: order.deliveries.map(formed),
    })),
    deliveries: world.deliveries?.map(formed) ?? [],
  }
}

const placeOf = ({ place = Number.MAX_SAFE_INTEGER }: WorldDelivery) => place

/** A client with an order and whatever else is given. */
export function aWorld(part: WorldPart = {}): World {
  const { clients = [aClient()], tokens = [], scenarios = [aScenario] } = part
  const { orders = [aWorldOrder({ clientId: clients[0]?.clientId ?? '' })] } = part
  return { ...part, clients, tokens, scenarios, orders }
}

const aScenario = { version: 'v1', format: scenarioFormat, scenario: happy }

export function aWorldOrder(order: Partial<WorldOrder['order']>, more: Partial<WorldOrder> = {}): WorldOrder {
  return {
    order: anOrder({ version: 4, events: 2, nextDueAt: 5_000, ...order }),
    history: [{ at: 1, what: 'created' }],
    deliveries: [],
    ...more,
  }
}

/** A delivery of an order, never tried. */
export function aWorldDelivery(
  { orderId, requestId, clientId }: WorldOrder['order'],
  delivery: Partial<WorldDelivery> = {},
): WorldDelivery {
  const { attempts = [] } = delivery
  const url = attempts.at(-1)?.url ?? null
  return { ...aDelivery({ orderId, requestId, clientId }), url, attempts, ...delivery }
}

/** An attempt that was refused. */
export const anAttempt = (n: number): Attempt => ({
  n,
  at: 900 + n,
  wallAt: 2_000,
  url: 'http://receiver.test/hook',
  outcome: 'refused',
  status: 500,
  ms: 0,
  requestHeaders: {},
  responseBody: null,
  error: null,
})

/** Gives a client something of everything: an order with events and counts, a simulation, a token, and what is planned. */
export async function fill(store: Store, clientId = shop): Promise<void> {
  const scenario = { scenarioJson: JSON.stringify(happy), format: scenarioFormat }
  await store.saveScenarioVersion('v1', scenario)
  const { orderId, requestId } = anOrder()
  const events = [1, 2, 3].map((sequence) => aDelivery({ clientId, orderId, requestId, sequence }))
  const history = [{ at: 1_000, what: 'order', to: 'CREATED' }]
  const members = { clientId, orderId, requestId, nextDueAt: 5_000, request: { userId: 'u' } }
  await committed(store, members, { history, events })
  for (const { id, attempt } of await claim(store, { clientId }))
    await finish(store, id, attempt, undefined, clientId)
  await deliver(
    store,
    aSimulation({ clientId, orderId, requestId, dueAt: 3_000 }),
    aSimulation({ clientId, dueAt: 2_500 }),
  )
  const generation = await generationOf(store, clientId)
  await store.saveToken(aToken({ clientId }), generation, 0)
  await store.addBinding(aBinding({ clientId, remaining: 2 }))
  const fault = await store.addFault(aFault({ clientId }), 'seed')
  await store.countFault([{ id: fault.id, limits: fault.asked, endsAt: null, at: 0 }])
  await store.countAnswer({ ...aCountedCall([aRule()], { clientId }), generation })
  await store.appendRequests([anEntry({ clientId })], atMost(1_000))
}

/** Adds what belongs to no client. */
export async function fillCommon(store: Store): Promise<void> {
  await store.saveCommonSettings({ 'orders.expiry': '7m' })
  await store.saveScenarioText('mine', 'text')
  await store.addBinding(aBinding())
  await store.addFault(aFault({ clientId: null }), 'seed')
  await store.appendRequests([anEntry({ clientId: null })], atMost(1_000), 3)
}

/** All that can be read of a store, but for its generations. */
export async function everythingIn(store: Store) {
  const all = { limit: 1_000 }
  const clients = (await store.clients()).map(({ client, newestMoment }) => ({ client, newestMoment }))
  const orders = await store.listOrders(all)
  const due = clients.map(async ({ client: { clientId } }) => [
    await store.nextOrderDue(clientId),
    await store.nextDeliveryDue(clientId, 0),
    await store.bindingFor(clientId, 'r'),
  ])
  return {
    clients,
    orders,
    pasts: await store.pastsOf(orders.items.map(({ orderId }) => orderId)),
    users: await store.listUsers(all),
    due: await Promise.all(due),
    tokens: await store.tokens(),
    deliveries: await store.listDeliveries(all),
    bindings: await store.listBindings(all),
    faults: await store.faults(),
    requests: await store.listRequests(all),
    settings: await store.commonSettings(),
    texts: await store.scenarioTexts(),
    backlog: await store.backlog(),
    counts: await store.counts(),
  }
}

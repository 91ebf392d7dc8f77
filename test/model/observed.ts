import type { Ledger } from '../support/client.ts'
import type { Bench } from './bench.ts'
import type { Endpoints } from './endpoints.ts'
import { doorOf } from './expected.ts'
import type { ModelOrder } from './model-order.ts'
import { nameInWebhook, orderName, since } from './names.ts'
import type { ClientId, World } from './world.ts'

/** The order that no simulation is of. */
const simulatedOrder = 'order-of-a-simulation'

/** Wall time after which something is taken to hang. */
const timeoutMs = 10_000

interface ShownClient {
  readonly clientId: string
  readonly webhookUrl: string | null
  readonly webhookPaused?: true
  readonly holds?: readonly object[]
}

/** Where a client's clock stands. */
interface Place {
  readonly clientId: string
  readonly now: number
  readonly nextDueAt: number | null
}

interface ShownOrder {
  readonly clientId: string
  readonly orderId: string
  readonly token: string
  readonly requestId: string
  readonly kind: string
  readonly charge: number
  readonly expiresAt: number
  readonly refunds: readonly { readonly fiatAmount: string; readonly at: number }[]
  readonly createdAt: number
  readonly waitsForPayer: boolean
  readonly orderStatus: string
  readonly paymentStatus: string
  readonly errorReason: { readonly errorCode: string } | null
  readonly updatedAt: number
  readonly nextDueAt: number | null
  readonly scenario: { readonly id: string }
  readonly timeline: readonly { what: string; dueAt: number | null; doneAt: number | null }[]
  readonly history: readonly { at: number; what: string; from?: string; to?: string; step?: number }[]
  readonly deliveries: readonly string[]
}

interface ShownDelivery {
  readonly clientId: string
  readonly id: string
  readonly webhookId: string
  readonly orderId: string
  readonly requestId: string
  readonly orderStatus: string
  readonly status: string
  readonly dueAt: number | null
  readonly bodyText: string
  readonly attempts: readonly { n: number; at: number; outcome: string; status: number | null; url: string }[]
}

/** Waits until nothing is under way, and writes down what can then be seen of each client: a line for the client,
 *  each order and each delivery. */
export async function observedLines({ bench }: World): Promise<Record<ClientId, string[]>> {
  const { text } = await bench.control('/clock/advance', 'POST', { by: '0s', timeoutMs })
  const [orders, deliveries, clients] = await Promise.all([
    itemsOf<ShownOrder>(bench, '/orders?limit=1000'),
    itemsOf<ShownDelivery>(bench, '/deliveries?limit=1000'),
    itemsOf<ShownClient>(bench, '/clients'),
  ])
  const ledger: Ledger & { clients: readonly Place[] } = JSON.parse(text)
  const byId = new Map(deliveries.map((delivery) => [delivery.id, delivery]))
  const eventsOf = (order: ShownOrder) => order.deliveries.flatMap((id) => byId.get(id) ?? [])
  const linesOf = (clientId: ClientId) => {
    const simulated = deliveries.filter(
      (each) => each.clientId === clientId && each.orderId === simulatedOrder,
    )
    const own = orders.filter((order) => order.clientId === clientId)
    const client = clients.find((each) => each.clientId === clientId)
    const place = ledger.clients.find((each) => each.clientId === clientId)
    const endpoint = `URL ${doorOf(client?.webhookUrl ?? null)}${client?.webhookPaused ? ' paused' : ''}`
    return [
      `${clientId} at ${since(place?.now ?? null)}, next ${since(place?.nextDueAt ?? null)}, ${endpoint}, holds ${JSON.stringify(client?.holds ?? [])}`,
      ...ledgerLines(ledger).map((line) => `only when asked: ${line}`),
      ...(isSorted(own.map(({ createdAt }) => createdAt)) ? [] : ['not listed oldest first']),
      // Which of those that began at one moment comes first is left open.
      ...own.map((order) => orderLine(order, eventsOf(order), bench.endpoints)).sort(),
      ...[...own.flatMap(eventsOf), ...simulated]
        .map((each) => deliveryLine(clientId, each, bench.endpoints))
        .sort(),
    ]
  }
  return { C1: linesOf('C1'), C2: linesOf('C2') }
}

/** An order of the model's as the emulator shows it. */
export async function shownOrder(
  bench: Bench,
  { name, requestId }: Pick<ModelOrder, 'name' | 'requestId'>,
): Promise<ShownOrder> {
  const found = await itemsOf<ShownOrder>(bench, `/orders?requestId=${requestId}&limit=1000`)
  const order = found.find((each) => orderName(each.clientId, each.requestId, each.createdAt) === name)
  if (order === undefined) throw new Error(`there is no ${name}`)
  return order
}

/** All pages of a list. */
async function itemsOf<T>(bench: Bench, path: string): Promise<readonly T[]> {
  const { items, next }: { items: T[]; next: string | null } = JSON.parse((await bench.control(path)).text)
  if (next === null) return items
  const rest = path.replace(/&cursor=.*|$/, `&cursor=${encodeURIComponent(next)}`)
  return [...items, ...(await itemsOf<T>(bench, rest))]
}

const isSorted = (times: readonly number[]) => times.every((time, index) => time >= (times[index - 1] ?? 0))

/** The ledger of an advance: transitions, then attempts. */
export function ledgerLines({ transitions, deliveries }: Ledger): string[] {
  return [
    ...transitions.map(
      ({ at, requestId, what, from, to }) => `${since(at)} ${requestId} ${what} ${from}>${to}`,
    ),
    ...deliveries.map(
      ({ at, requestId, orderStatus, attempt, outcome, status }) =>
        `${since(at)} ${requestId} ${orderStatus} ${attempt} ${outcome} ${status}`,
    ),
  ]
}

function orderLine(order: ShownOrder, events: readonly ShownDelivery[], endpoints: Endpoints): string {
  const { kind, charge, scenario, orderStatus, paymentStatus, errorReason, updatedAt, nextDueAt } = order
  const name = orderName(order.clientId, order.requestId, order.createdAt)
  const timeline = order.timeline.map(
    ({ what, dueAt, doneAt }) => `${what} ${since(dueAt)} done ${since(doneAt)}`,
  )
  const refunds = order.refunds.map(({ at, fiatAmount }) => `${fiatAmount} ${since(at)}`)
  const history = order.history.map(({ at, what, from, to, step }) => {
    const change = to === undefined ? '' : ` ${from ?? ''}>${to}`
    return `${since(at)} ${what}${change}${step === undefined ? '' : ` step ${step}`}`
  })
  const came = events
    .map(({ orderStatus: status }) => ({
      status,
      place: endpoints.firstOf(`${name} ${status}`),
    }))
    .filter(({ place }) => place !== -1)
    .sort((one, other) => one.place - other.place)
    .map(({ status }) => status)
  return [
    `${name} ${kind} charge ${charge} ${scenario.id}: ${orderStatus}, payment ${paymentStatus}, error ${errorReason?.errorCode ?? null}`,
    `waits for its payer ${order.waitsForPayer}, updated ${since(updatedAt)}, next ${since(nextDueAt)}, expires ${since(order.expiresAt)}`,
    `refunds [${refunds.join(', ')}]`,
    `timeline [${timeline.join(', ')}], history [${history.join(', ')}], sent first ${came}`,
  ].join(', ')
}

function deliveryLine(clientId: string, delivery: ShownDelivery, endpoints: Endpoints): string {
  const { orderId, orderStatus, webhookId, bodyText, status, dueAt, attempts } = delivery
  const event = `${nameInWebhook(clientId, delivery)} ${orderStatus}`
  const made = attempts.map(
    (attempt) => `${since(attempt.at)} ${attempt.outcome} ${attempt.status} at ${doorOf(attempt.url)}`,
  )
  const arrivals = endpoints.of(event)
  const alike = arrivals.every((arrival) => arrival.webhookId === webhookId && arrival.text === bodyText)
  const numbered = attempts.every(({ n }, index) => n === index + 1) ? '' : ' (numbered wrongly)'
  const arrived = `arrived at [${arrivals.map(({ door }) => door)}] ${alike ? 'all alike' : 'not all alike'}`
  const body = bodyText.replace(orderId, 'ID')
  return `${event}: ${status}, due ${since(dueAt)}, attempts [${made.join(', ')}]${numbered}, ${arrived}, ${body}`
}

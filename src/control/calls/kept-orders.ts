import * as z from 'zod'
import { layered } from '../../domain/choices/settings.ts'
import { keepOrder } from '../../domain/keep/keep-order.ts'
import type { RecordedLife, RecordedOrder } from '../../domain/keep/recorded-life.ts'
import { keptTest, testKinds } from '../../domain/keep/tests/kept-test.ts'
import type { Order } from '../../domain/order/order.ts'
import { attemptOf } from '../../domain/webhook/attempt-number.ts'
import type { Delivery } from '../../domain/webhook/delivery.ts'
import { json, safeHeaders } from '../answer.ts'
import { controlCall, noBody } from '../control-call.ts'
import { clientQuery } from '../input.ts'
import type { ControlParts } from '../parts.ts'
import { keptScenario } from '../shapes/kept-scenario.ts'
import { found } from './orders.ts'

export const keptOrderCalls = [
  controlCall({
    method: 'GET',
    path: '/orders/{orderId}/scenario',
    name: 'keepOrder',
    summary: 'Write what happened to an order as a scenario file',
    description:
      'An order that follows the file sends the same webhooks, at times that differ by less than a second. Random choices and manual acts are written as what came of them. A comment says what the file cannot repeat. The answer is the file; with `test`, it is JSON with the file and a test that plays it.',
    query: clientQuery.extend({
      test: z.enum(testKinds).optional().meta({ description: 'Adds a test for this test runner.' }),
    }),
    body: noBody,
    answers: { 200: z.string().meta({ description: 'The scenario file; with `test`, JSON.' }) },
    gives: 'application/yaml',
    alsoGives: { 'application/json': keptScenario },
    errors: ['order_unknown'],
    handle: async ({ param, query }, parts) => {
      const order = await found(param('orderId'), query, parts)
      const life = await recordedLife(order, parts)
      const { id, yaml, notes } = keepOrder(life)
      if (query.test === undefined)
        return new Response(yaml, { headers: { 'content-type': 'application/yaml', ...safeHeaders } })
      const { file: testFile, text: test } = keptTest(query.test, id, life)
      return json({ id, file: `${id}.yaml`, yaml, testFile, test, notes })
    },
  }),
]

/** Reads everything on record about an order and the other charges of its requestId. */
async function recordedLife(
  { clientId, requestId }: Order,
  { store, clients, lifecycle, scheduler, seed }: ControlParts,
): Promise<RecordedLife> {
  const orders = await store.ordersOf(clientId, requestId)
  const pasts = await store.pastsOf(orders.map(({ orderId }) => orderId))
  const ids = [...pasts.values()].flatMap(({ deliveryIds }) => deliveryIds)
  const deliveries = await allDeliveries(clientId, requestId, ids, store)
  const recorded = orders.map((order, index): RecordedOrder => {
    const isIts = ({ orderId }: Delivery) => orderId === order.orderId || (index === 0 && !pasts.has(orderId))
    const { history = [] } = pasts.get(order.orderId) ?? {}
    return { order, history, deliveries: deliveries.filter(isIts) }
  })
  const [first, ...charges] = recorded
  if (first === undefined) throw new Error(`the client ${clientId} has no order ${requestId}`)
  return {
    orders: [first, ...charges],
    scenario: await lifecycle.versions.readable(first.order),
    settings: layered(...clients.overlaysOf(clientId)),
    seed,
    nowMs: scheduler.now(clientId),
  }
}

/** The webhooks of a requestId, hand-made ones included, and those that only name one of its orders. */
async function allDeliveries(
  clientId: string,
  requestId: string,
  ids: readonly string[],
  store: ControlParts['store'],
): Promise<Delivery[]> {
  const listed: Delivery[] = []
  for (let cursor: string | undefined; ; ) {
    const page = await store.listDeliveries({ clientId, requestId, limit: 500, cursor })
    listed.push(...page.items)
    if (page.next === null) break
    cursor = page.next
  }
  const known = new Set(listed.map(({ id }) => id))
  const others = await Promise.all(ids.filter((id) => !known.has(id)).map((id) => store.findDelivery(id)))
  return [...listed, ...others.filter((delivery) => delivery !== null)].map((delivery) =>
    attemptOf(delivery, delivery.attempts.at(-1)?.n ?? 1),
  )
}

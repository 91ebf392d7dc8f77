import { randomUUID } from 'node:crypto'
import * as z from 'zod'
import { fieldsOfOtherKinds, newOrderOf, orderMembers } from '../../domain/order/new-order-fields.ts'
import type { Order } from '../../domain/order/order.ts'
import { namedInMetadata } from '../../domain/scenario/selection.ts'
import { mermaidOf } from '../../domain/sequence/mermaid.ts'
import { sequenceOf } from '../../domain/sequence/order-sequence.ts'
import type { Sequence } from '../../domain/sequence/sequence.ts'
import { sequenceSvg } from '../../domain/sequence/svg.ts'
import { EmulatorError } from '../../domain/text/errors.ts'
import { memberText } from '../../domain/text/json-text.ts'
import { listFields } from '../../store/list-fields.ts'
import type { ListQuery } from '../../store/store.ts'
import { json, jsonText, safeHeaders } from '../answer.ts'
import { controlCall, noBody } from '../control-call.ts'
import { clientQuery, isOf, listOf, listQuery, oneClientId, searchIn } from '../input.ts'
import { listPage } from '../paging.ts'
import type { ControlParts } from '../parts.ts'
import { presentOne, presentOrders } from '../presenters.ts'
import { pageOf } from '../shapes/common.ts'
import { order } from '../shapes/order.ts'
import { sequence } from '../shapes/sequence.ts'
import { possible } from '../watch/where-problems.ts'
import { refuseOtherKinds } from './scenarios.ts'

/** Request body to create an order, without signature or token: the caller of the control API owns the emulator. */
export const makeOrderRequest = z
  .strictObject({
    clientId: z
      .string()
      .min(1)
      .max(1_000)
      .optional()
      .meta({ description: 'The client that owns the order.' }),
    ...orderMembers,
  })
  .superRefine((members, context) => {
    const [stranger] = fieldsOfOtherKinds(members)
    if (stranger === undefined) return
    context.addIssue({ code: 'custom', path: [stranger], message: 'needs kind "subscription"' })
  })
  .meta({ id: 'NewOrder', example: { clientId: 'demo-client', kind: 'payout', fiatAmount: '10.00' } })

/** Creates an order of any kind, including payouts and crypto payins, which the service API cannot create (N64i).
 *  @param metadata JSON text, stored unchanged (N69)
 *  @throws client_unknown, scenario_unknown, order_exists, invalid_input */
async function makeOrder(
  wanted: z.output<typeof makeOrderRequest>,
  metadata: string | null,
  { clients, catalog, lifecycle }: ControlParts,
): Promise<Order> {
  const { clientId, kind, requestId, scenario } = wanted
  if (clientId === undefined) {
    throw new EmulatorError('invalid_input', {
      problems: 'clientId: is missing; name the client of the order',
    })
  }
  clients.get(clientId)
  if (scenario !== undefined) refuseOtherKinds(catalog.get(scenario).scenario, kind)
  const order = { ...newOrderOf(wanted, requestId ?? `order-${randomUUID()}`), metadata }
  const hints = { control: scenario ?? null, header: null, metadata: namedInMetadata(wanted.metadata) }
  const made = await clients.worlds.decide(() =>
    lifecycle.creation.create(clients.get(clientId), order, hints, null),
  )
  return made.order
}

export const payRequest = z
  .strictObject({
    outcome: z
      .enum(['completed', 'failed', 'abandoned'])
      .meta({ description: '`completed`: paid. `failed`: declined. `abandoned`: the payer left.' }),
    errorCode: z.string().min(1).max(32).optional().meta({ description: 'With `failed`. 9004 if left out.' }),
  })
  .refine(({ outcome, errorCode }) => errorCode === undefined || outcome === 'failed', {
    path: ['errorCode'],
    message: 'needs outcome "failed"',
  })
  .meta({ id: 'Payment', example: { outcome: 'completed' } })

export const refundRequest = z
  .strictObject({
    fiatAmount: z
      .string({ error: 'must be an amount in quotes, like "3.50"' })
      .regex(/^\d{1,30}(\.\d{1,2})?$/, 'must be an amount with at most two decimals, like "3.50"')
      .refine((amount) => /[1-9]/.test(amount), 'must be greater than zero')
      .meta({ description: 'The amount to refund.' }),
    outcome: z
      .enum(['initiated', 'failed'])
      .default('initiated')
      .meta({ description: 'Whether the refund succeeds.' }),
    errorCode: z.string().min(1).max(32).optional().meta({ description: 'With `failed`: why.' }),
  })
  .refine(({ outcome, errorCode }) => errorCode === undefined || outcome === 'failed', {
    path: ['errorCode'],
    message: 'needs outcome "failed"',
  })
  .meta({ id: 'RefundRequest', example: { fiatAmount: '3.50' } })

export const orderCalls = [
  controlCall({
    method: 'GET',
    path: '/orders',
    name: 'listOrders',
    summary: 'List orders',
    query: listQuery(listFields.orders)
      .extend(searchIn('requestId', 'orderId', 'email', 'userId'))
      .superRefine(possible('order')),
    body: noBody,
    answers: { 200: pageOf(order) },
    errors: ['bad_cursor'],
    handle: async ({ query }, parts) => {
      const list = (part: ListQuery) => parts.store.listOrders(part)
      return jsonText(await listPage(listOf(query), list, (orders) => presentOrders(orders, parts)))
    },
  }),
  controlCall({
    method: 'POST',
    path: '/orders',
    name: 'makeOrder',
    summary: 'Create an order of any kind',
    description:
      'This includes payouts and crypto payins, which no call of the service can create. Everything except the client has a default. The call needs no signature and no token, because the control API belongs to the owner of the emulator.',
    query: clientQuery,
    body: makeOrderRequest,
    answers: { 201: order },
    errors: ['scenario_unknown', 'order_exists'],
    handle: async ({ query, body, text }, parts) => {
      const wanted = { ...body, clientId: oneClientId(body, query) }
      const metadata = memberText(text, 'metadata')
      return jsonText(await presentOne(await makeOrder(wanted, metadata, parts), parts), 201)
    },
  }),
  controlCall({
    method: 'GET',
    path: '/orders/{orderId}',
    name: 'getOrder',
    summary: 'Read an order',
    query: clientQuery,
    body: noBody,
    answers: { 200: order },
    errors: ['order_unknown'],
    handle: async ({ param, query }, parts) =>
      jsonText(await presentOne(await found(param('orderId'), query, parts), parts)),
  }),
  controlCall({
    method: 'GET',
    path: '/orders/{orderId}/sequence',
    name: 'getOrderSequence',
    summary: 'Read what happened to an order as a sequence diagram',
    description:
      'Calls of the application, changes of the order, and webhooks with their answers. `svg` is a self-contained picture, `mermaid` a `sequenceDiagram` for a bug report.',
    query: clientQuery.extend({
      format: z.enum(['json', 'svg', 'mermaid']).optional().meta({ description: '`json` if left out.' }),
    }),
    body: noBody,
    answers: { 200: sequence },
    alsoGives: { 'image/svg+xml': z.string(), 'text/plain': z.string() },
    errors: ['order_unknown'],
    handle: async ({ param, query }, parts) =>
      inFormat(await orderSequence(await found(param('orderId'), query, parts), parts), query.format),
  }),
  controlCall({
    method: 'POST',
    path: '/orders/{orderId}/pay',
    name: 'payOrder',
    summary: 'Pay, fail or abandon an order as the payer',
    description:
      '`completed` means paid: the scenario’s steps after the payment follow. `failed` ends the order. `abandoned` leaves it unchanged and unpaid.',
    query: clientQuery,
    body: payRequest,
    answers: { 200: order },
    errors: ['order_unknown', 'order_is_final', 'order_is_paid', 'stale_order'],
    handle: async ({ param, query, body }, parts) => {
      const { orderId } = await found(param('orderId'), query, parts)
      return jsonText(await presentOne(await parts.lifecycle.pay(orderId, body), parts))
    },
  }),
  controlCall({
    method: 'POST',
    path: '/orders/{orderId}/refunds',
    name: 'refundOrder',
    summary: 'Refund an order, fully or partly',
    query: clientQuery,
    body: refundRequest,
    answers: { 201: order },
    errors: ['order_unknown', 'not_completed', 'refund_too_high', 'stale_order'],
    handle: async ({ param, query, body }, parts) => {
      const { orderId } = await found(param('orderId'), query, parts)
      return jsonText(await presentOne(await parts.lifecycle.refund(orderId, body), parts), 201)
    },
  }),
]

/** The maximum number of an order's deliveries, and of its requests, that a sequence is drawn from. */
const mostSources = 200

async function orderSequence(order: Order, { store, journal }: ControlParts): Promise<Sequence> {
  const { clientId, requestId, orderId, charge, createdAt } = order
  const newest = { clientId, limit: mostSources, newestFirst: true }
  const [pasts, deliveries, requests] = await Promise.all([
    store.pastsOf([orderId]),
    store.listDeliveries({ ...newest, orderId }),
    journal.list({ ...newest, requestId }),
  ])
  return sequenceOf({
    order: { ...order, history: pasts.get(orderId)?.history ?? [] },
    deliveries: deliveries.items.toReversed(),
    // Requests from before a later charge concern the charges before it.
    requests: requests.items.filter(({ at }) => charge === 1 || at >= createdAt).toReversed(),
  })
}

function inFormat(sequence: Sequence, format: 'json' | 'svg' | 'mermaid' = 'json'): Response {
  if (format === 'json') return json(sequence)
  if (format === 'mermaid')
    return new Response(mermaidOf(sequence), {
      headers: { 'content-type': 'text/plain; charset=utf-8', ...safeHeaders },
    })
  return new Response(sequenceSvg(sequence), {
    headers: {
      'content-type': 'image/svg+xml',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
      ...safeHeaders,
    },
  })
}

/** @throws order_unknown, also for an order of another client */
export async function found(
  orderId: string,
  query: { clientId?: string | undefined },
  { store }: ControlParts,
): Promise<Order> {
  const order = await store.findOrder(orderId)
  if (order === null || !isOf(order, query)) throw new EmulatorError('order_unknown', { orderId })
  return order
}

import type { Call, Lookup, SeenOrder, SeenWebhook } from './evidence.ts'
import { fieldsOf, recordsIn } from './read-call.ts'

/** An order whose webhooks are still being collected. */
export interface OrderDraft extends SeenOrder {
  readonly webhooks: SeenWebhook[]
}

/** Groups calls by account and requestId. */
export function ordersOf(calls: readonly Call[]): OrderDraft[] {
  const groups = Map.groupBy(
    calls.filter(({ requestId, operation }) => requestId !== null && operation !== 'simulate-webhook'),
    ({ clientId, requestId }) => JSON.stringify([clientId, requestId]),
  )
  return [...groups.values()].flatMap(orderOf)
}

function orderOf(calls: readonly Call[]): OrderDraft[] {
  const [first] = calls
  if (first?.requestId == null) return []
  const creates = calls.filter(({ operation }) => isCreate(operation))
  const created = creates.find(({ status, output }) => status === 200 && fieldsOf(output).token !== undefined)
  const lookups = calls.flatMap((call): Lookup[] => {
    const { operation } = call
    const records = isLookup(operation) ? recordsIn(call) : null
    return records === null || !isLookup(operation) ? [] : [{ call, operation, records }]
  })
  const orderIds = lookups.flatMap(({ records }) =>
    records.flatMap(({ orderId }) => (typeof orderId === 'string' ? orderId : [])),
  )
  return [
    {
      clientId: first.clientId,
      requestId: first.requestId,
      isSubscription: created?.operation === 'create-subscription-order',
      creates,
      created: created ?? null,
      request: fieldsOf(created?.input),
      answer: fieldsOf(created?.output),
      orderIds: new Set(orderIds),
      lookups,
      webhooks: [],
    },
  ]
}

const isCreate = (operation: Call['operation']): boolean =>
  operation === 'create-checkout-order' || operation === 'create-subscription-order'

const isLookup = (operation: Call['operation']): operation is Lookup['operation'] =>
  operation === 'orders' || operation === 'crypto-orders' || operation === 'fiat-refunds'

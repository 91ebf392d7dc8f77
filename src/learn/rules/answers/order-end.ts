import { orderEnds } from '../../answers/order-ends.ts'
import { readValue } from '../../elimination/eliminate.ts'
import type { Rule } from '../rule.ts'

const endings: Readonly<Record<string, string>> = {
  keep: 'stay CREATED',
  fail: 'are FAILED',
  abandon: 'have a status of their own',
}

/** What happens to an order that nobody has paid when it expires (N12). Needs `orders.expiry`. */
export const orderEnd: Rule = {
  settings: ['orders.onExpiry'],
  learn: (evidence, context) => [
    readValue(
      {
        setting: 'orders.onExpiry',
        readings: orderEnds(evidence, context).map(({ source, requestId, end, orderStatus }) => ({
          source,
          unit: requestId,
          value: end,
          words: `${orderStatus} after the expiry of an order that nobody paid`,
        })),
        evidence: (value, count) => `${count} orders ${endings[String(value)]} after their expiry`,
        decide: 'two orders that nobody pays, looked up after their expiry',
        nothing: 'no order was looked up after its expiry that nobody had paid',
      },
      context.claims,
    ),
  ],
}

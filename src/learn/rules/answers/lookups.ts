import { recordsOf, type SeenRecord, textIn } from '../../answers/records.ts'
import { type Reading, readValue } from '../../elimination/eliminate.ts'
import type { SeenOrder } from '../../evidence/evidence.ts'
import type { Rule } from '../rule.ts'

/** The value of `partner` (N64f), and the type of crypto payins (N61). */
export const lookups: Rule = {
  settings: ['responses.partner', 'orders.cryptoPayinType'],
  learn: (evidence, { claims }) => [
    readValue(
      {
        setting: 'responses.partner',
        readings: evidence.orders.flatMap(partnersOf),
        evidence: (value, count) => `\`partner\` is ${value} in the fiat records of ${count} orders`,
        decide: 'a fiat lookup of two orders',
      },
      claims,
    ),
    readValue(
      {
        setting: 'orders.cryptoPayinType',
        readings: evidence.orders.flatMap(payinTypesOf),
        evidence: (value, count) => `\`orderType\` is ${value} in the crypto records of ${count} orders`,
        decide: 'a crypto lookup of two crypto payins',
        nothing: 'no crypto payin was looked up',
      },
      claims,
    ),
  ],
}

function readings(order: SeenOrder, records: readonly SeenRecord[], name: string): Reading[] {
  const byValue = new Map(records.map((record) => [textIn(record.fields, name), record]))
  return [...byValue].flatMap(([value, { lookup }]) =>
    value === undefined
      ? []
      : [{ source: lookup.call.source, unit: order.requestId, words: `\`${name}\` is ${value}`, value }],
  )
}

const partnersOf = (order: SeenOrder): Reading[] => readings(order, recordsOf(order, 'orders'), 'partner')

/** Another type counts only for orders that no create call made: a checkout is no crypto payin. */
function payinTypesOf(order: SeenOrder): Reading[] {
  if (order.creates.length > 0) return []
  const records = recordsOf(order, 'crypto-orders')
  return readings(order, records, 'orderType').filter(
    ({ value }) => value !== 'CHECKOUT' && value !== 'PAYOUT',
  )
}

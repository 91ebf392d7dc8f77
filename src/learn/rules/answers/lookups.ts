import { recordsOf, type SeenRecord, textIn } from '../../answers/records.ts'
import { type Reading, readValue } from '../../elimination/eliminate.ts'
import type { Evidence, SeenOrder } from '../../evidence/evidence.ts'
import { bodiesIn } from '../../webhook/reading.ts'
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
        readings: [...evidence.orders.flatMap(payinTypesOf), ...payinTypesIn(evidence)],
        evidence: (value, count) =>
          `\`orderType\` is ${value} in crypto records or webhooks of ${count} orders`,
        decide: 'a crypto lookup of two crypto payins',
        nothing: 'no crypto payin was looked up, and no webhook was about a crypto leg',
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

/** The type in webhooks about the crypto leg of an order. */
function payinTypesIn(evidence: Evidence): Reading[] {
  const { cryptoTypes, leaves } = bodiesIn(evidence)
  const [type, ...others] = cryptoTypes
  if (type === undefined || others.length > 0) return []
  return [...leaves].flatMap(([{ unit, source }, leaf]) =>
    [...leaf.values()].includes(type)
      ? [{ source, unit, words: `a webhook has the \`orderType\` ${type}`, value: type }]
      : [],
  )
}

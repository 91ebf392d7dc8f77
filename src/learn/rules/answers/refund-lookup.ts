import { type Reading, readValue } from '../../elimination/eliminate.ts'
import type { SeenOrder } from '../../evidence/evidence.ts'
import { fieldsOf } from '../../evidence/read-call.ts'
import type { Rule } from '../rule.ts'

/** `errorReason` of the refund lookup when no refund has failed (N62). */
export const refundLookup: Rule = {
  settings: ['refunds.errorReasonWhenNone'],
  learn: ({ orders }, { claims }) => [
    readValue(
      {
        setting: 'refunds.errorReasonWhenNone',
        readings: orders.flatMap(reasonsOf),
        evidence: (value, count) =>
          `without a failed refund, \`errorReason\` is ${words[String(value)]} in the refund lookups of ${count} orders`,
        decide: 'refund lookups of two orders without a failed refund',
      },
      claims,
    ),
  ],
}

const words: Readonly<Record<string, string>> = { omit: 'left out', null: '`null`', empty: '`{}`' }

function reasonsOf(order: SeenOrder): Reading[] {
  const refunds = order.lookups.filter(({ operation }) => operation === 'fiat-refunds')
  const seen = new Map(refunds.map(({ call }) => [formOf(fieldsOf(call.output).errorReason), call]))
  return [...seen].flatMap(([value, { source }]) =>
    value === null
      ? []
      : [{ source, unit: order.requestId, value, words: `\`errorReason\` is ${words[value]}` }],
  )
}

/** A reason with content is that of a failed refund. */
function formOf(reason: unknown): 'omit' | 'null' | 'empty' | null {
  if (reason === undefined) return 'omit'
  if (reason === null) return 'null'
  return typeof reason === 'object' && !Array.isArray(reason) && Object.keys(reason).length === 0
    ? 'empty'
    : null
}

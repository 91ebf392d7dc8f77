import { eliminate, type Sight } from '../../elimination/eliminate.ts'
import type { SeenOrder } from '../../evidence/evidence.ts'
import type { Rule } from '../rule.ts'

/** Whether amounts choose the outcome of an order, as in many sandboxes: by orders for 90.04 and 90.05. */
export const testAmounts: Rule = {
  settings: ['scenarios.amounts'],
  learn: (evidence, { claims }) => [
    eliminate(
      {
        setting: 'scenarios.amounts',
        candidates: ['on', 'off'],
        sights: evidence.orders.flatMap(outcomeOf),
        decide: 'two orders for 90.04 that are looked up until they are COMPLETED or FAILED',
      },
      claims,
    ),
  ],
}

/** The error codes with which the emulator lets orders for some amounts fail (N68). */
const codes: Readonly<Record<string, string>> = { '90.04': '9004', '90.05': '9005' }

function outcomeOf({ created, request, lookups, requestId, isSubscription }: SeenOrder): Sight[] {
  const amount = String(request.fiatAmount)
  const code = codes[amount]
  if (created === null || code === undefined || isSubscription) return []
  const last = lookups.findLast(({ operation, records }) => operation === 'orders' && records.length === 1)
  const record = last?.records[0]
  if (last === undefined || record === undefined) return []
  const reason = record.errorReason
  const failedSo =
    typeof reason === 'object' && reason !== null && 'errorCode' in reason && reason.errorCode === code
  const isOff = record.orderStatus === 'COMPLETED'
  if (isOff === failedSo) return []
  return [
    {
      source: last.call.source,
      unit: requestId,
      words: `an order for ${amount} ${isOff ? 'was COMPLETED' : `failed with ${code}`}`,
      allows: (value) => value === (isOff ? 'off' : 'on'),
    },
  ]
}

import { answeredBy } from '../../answers/records.ts'
import { type Reading, readValue } from '../../elimination/eliminate.ts'
import type { Call, Evidence, SeenOrder } from '../../evidence/evidence.ts'
import { fieldsOf } from '../../evidence/read-call.ts'
import type { Rule } from '../rule.ts'

/** Whether two accounts can use the same requestId (N16). */
export const requestIds: Rule = {
  settings: ['requestIds.scope'],
  learn: (evidence, { claims }) => [
    readValue(
      {
        setting: 'requestIds.scope',
        readings: readings(evidence),
        evidence: (value, count) =>
          `${count} requestIds that another account had used were ${value === 'client' ? 'accepted' : 'refused with 7001'}`,
        decide: 'two create calls with a requestId that another account has used',
        nothing: 'no two accounts used the same requestId',
      },
      claims,
    ),
  ],
}

function readings({ orders }: Evidence): Reading[] {
  return [...Map.groupBy(orders, ({ requestId }) => requestId).values()].flatMap((same) =>
    same.flatMap((order) => {
      const [call] = order.creates
      const other = call && same.find((each) => each !== order && isCreatedBefore(each, order, call))
      return call === undefined || other === undefined ? [] : outcome(order, call)
    }),
  )
}

/** Whether another account had an order before a call was sent. */
const isCreatedBefore = (one: SeenOrder, { clientId }: SeenOrder, call: Call): boolean =>
  one.created !== null &&
  one.clientId !== null &&
  clientId !== null &&
  one.clientId !== clientId &&
  answeredBy(one.created) <= call.at

/** The outcome of the first create call of the second account: later ones may repeat its own order. */
function outcome(order: SeenOrder, call: Call): Reading[] {
  const about = { source: call.source, unit: order.requestId }
  if (order.created === call)
    return [{ ...about, value: 'client', words: 'a requestId of another account was accepted' }]
  // An order of its own from before the capture would be refused too.
  const hasOwn = order.lookups.some(({ records }) => records.length > 0)
  const { code } = fieldsOf(fieldsOf(call.output).error)
  if (code !== '7001' || hasOwn || order.created !== null) return []
  return [{ ...about, value: 'global', words: 'a requestId of another account was refused with 7001' }]
}

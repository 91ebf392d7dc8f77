import type { Delivery } from '../../index.ts'
import { takesOrdersItDoesNotKnow } from '../acts/strangers.ts'
import type { Case } from '../case.ts'
import { Finding } from '../finding.ts'
import type { StagedOrder } from '../stage/staged-order.ts'
import { simplerFailures } from './found-before.ts'

const words = ['ON_REVIEW', 'PENDING_SETTLEMENT', 'CONFIRMING', 'AWAITING_FUNDS']

/** The list of statuses in the document is not said to be complete. */
export const unknownStatus: Case = {
  id: 'K22',
  level: 'MUST',
  title: 'A status that no document names',
  happens:
    'For 20 seconds webhook and lookup show an orderStatus like ON_REVIEW; then the order is COMPLETED.',
  right: 'Take it for "not decided yet": no 5xx, nothing released; paid once the order is COMPLETED.',
  why: 'Services add statuses. Who cannot read one loses the order, or releases for one that is under review.',
  explainedBy: [...simplerFailures, { cases: ['K21'], defect: 'premature' }],
  async run(stage) {
    const status = words[stage.draw(words.length)] ?? 'ON_REVIEW'
    const order = await stage.order({
      follows: {
        timeline: [
          { at: '2s', pay: 'completed' },
          { at: '5s', order: status },
          { after: '20s', order: 'COMPLETED' },
        ],
      },
    })
    await order.isUnpaidBefore()
    await stage.advance('6s')
    const shown = await order.deliveries()
    if (await takesOrdersItDoesNotKnow(stage)) refuseServerError(order, shown, status)
    await order.staysWithoutEffect()
    await stage.advance('1m')
    await order.endsPaid()
  },
}

/** Only where other webhooks of the order are answered well: else it says nothing about the status. */
function refuseServerError(order: StagedOrder, deliveries: readonly Delivery[], status: string): void {
  const about = (wanted: string) => deliveries.find(({ orderStatus }) => orderStatus === wanted)
  if (about('CREATED')?.status !== 'delivered') return
  const unknown = about(status)
  const answered = unknown?.attempts.at(0)?.status ?? 0
  if (answered < 500) return
  throw new Finding({
    defect: 'server-error',
    did: `It answered ${answered} to a webhook whose orderStatus is ${status}, though it answered that of CREATED well`,
    requestId: order.requestId,
    deliveryId: unknown?.id,
  })
}

import type { Delivery } from '../../index.ts'
import { takesOrdersItDoesNotKnow } from '../acts/other-orders.ts'
import type { Case } from '../case.ts'
import { Finding } from '../finding.ts'
import type { StagedOrder } from '../stage/staged-order.ts'
import { simplerFailures } from './found-before.ts'

const words = ['ON_REVIEW', 'PENDING_SETTLEMENT', 'CONFIRMING', 'AWAITING_FUNDS']

/** A webhook has an unknown status: the API specification does not say that its list is complete. */
export const unknownStatus: Case = {
  id: 'K22',
  level: 'MUST',
  sideBySide: true,
  title: 'An undocumented status',
  happens:
    'For 20 seconds the webhook and the lookup show an orderStatus like ON_REVIEW. Then the order is COMPLETED.',
  right: 'Treat it as "not decided yet": no 5xx, no fulfilment. The order is paid once it is COMPLETED.',
  why: 'Services add statuses. An application that cannot handle one loses the order, or fulfils one that is still under review.',
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
    await stage.advanceAtLeast('1m')
    await order.endsPaid()
  },
}

/** Throws a finding if the unknown status was answered 5xx, although the CREATED webhook of the order was accepted. */
function refuseServerError(order: StagedOrder, deliveries: readonly Delivery[], status: string): void {
  const about = (wanted: string) => deliveries.find(({ orderStatus }) => orderStatus === wanted)
  if (about('CREATED')?.status !== 'delivered') return
  const unknown = about(status)
  const answered = unknown?.attempts.at(0)?.status ?? 0
  if (answered < 500) return
  throw new Finding({
    defect: 'server-error',
    did: `It answered ${answered} to a webhook with the orderStatus ${status}, although it accepted the one of CREATED`,
    requestId: order.requestId,
    deliveryId: unknown?.id,
  })
}

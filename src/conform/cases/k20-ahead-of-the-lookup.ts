import type { Case } from '../case.ts'
import { payLater } from '../scripts.ts'
import { simplerFailures } from '../simpler-failures.ts'

/** A webhook is an occasion to ask, not an answer. */
export const aheadOfTheLookup: Case = {
  id: 'K20',
  level: 'MUST',
  title: 'A webhook that the lookup does not bear out',
  happens: 'A webhook says COMPLETED while the lookup still says CREATED; later the order is really paid.',
  right: 'Release nothing until the lookup says COMPLETED, then release once.',
  why: 'Whoever knows the address of the webhook could have goods for nothing.',
  explainedBy: simplerFailures,
  async run(stage) {
    const order = await stage.order({ follows: payLater })
    await order.isUnpaidBefore()
    await stage.send({ event: { requestId: order.requestId, orderStatus: 'COMPLETED' } })
    await order.staysWithoutEffect('believed')
    await order.pay()
    await stage.advance('10s')
    await order.endsPaid()
  },
}

import type { Case } from '../case.ts'
import { payLater } from '../stage/scripts.ts'
import { foundByBelief } from './found-before.ts'

/** A message for somebody else, which names an order of one's own. */
export const otherClient: Case = {
  id: 'K25',
  level: 'MUST',
  title: 'A webhook for another client',
  happens:
    'A webhook with somebody else’s clientId says COMPLETED of your open order, while the lookup says CREATED; later the order is paid.',
  right: 'Release nothing because of it; then release once, when the order is paid.',
  why: 'Whoever looks the order up under a clientId from the message, or not at all, is told what others choose.',
  explainedBy: foundByBelief,
  async run(stage) {
    const order = await stage.order({ follows: payLater })
    await stage.settle()
    await order.isUnpaidBefore()
    const { requestId } = order
    await stage.send({ event: { requestId, clientId: 'another-client', orderStatus: 'COMPLETED' } })
    await order.staysWithoutEffect('believed')
    await order.pay()
    await stage.advance('10s')
    await order.becomesPaid()
  },
}

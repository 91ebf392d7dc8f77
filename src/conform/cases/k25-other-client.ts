import type { Case } from '../case.ts'
import { payLater } from '../stage/scripts.ts'
import { foundByBelief } from './found-before.ts'

export const otherClient: Case = {
  id: 'K25',
  level: 'MUST',
  sideBySide: true,
  title: 'A webhook for another client',
  happens:
    'A webhook with another client’s clientId says COMPLETED for your open order, while the lookup says CREATED. Later the order is paid.',
  right: 'Do not fulfil because of it; fulfil once, when the order is paid.',
  why: 'An application that takes the clientId for its lookup from the message, or makes no lookup, lets others decide what it sees.',
  explainedBy: foundByBelief,
  async run(stage) {
    const order = await stage.order({ follows: payLater })
    await stage.settle()
    await order.isUnpaidBefore()
    const { requestId } = order
    await stage.send({ event: { requestId, clientId: 'another-client', orderStatus: 'COMPLETED' } })
    await order.staysWithoutEffect('believed')
    await order.pay()
    await stage.advanceAtLeast('10s')
    await order.becomesPaid()
  },
}

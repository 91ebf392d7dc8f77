import { returnUrlTo } from '../../domain/order/payment-urls.ts'
import { callbackUrlOf } from '../acts/browser-return.ts'
import type { Case } from '../case.ts'
import { Finding, NotSeen } from '../finding.ts'
import { payLater } from '../stage/scripts.ts'
import type { Stage } from '../stage/stage.ts'
import type { StagedOrder } from '../stage/staged-order.ts'
import { foundByBelief } from './found-before.ts'

export const lookupsDown: Case = {
  id: 'K52',
  level: 'MUST',
  sideBySide: 'failing',
  title: 'A forged COMPLETED while lookups fail',
  happens:
    'Every lookup of an open order is answered 503. A webhook says COMPLETED, then a browser returns with COMPLETED in its `data`. Afterwards the lookup says CREATED.',
  right: 'Do not fulfil: as long as the lookup does not say COMPLETED, nobody knows that the order is paid.',
  why: 'An application that falls back to the webhook when it cannot look up is open to everybody during each outage.',
  explainedBy: [...foundByBelief, { cases: ['K40'], defect: 'believed' }],
  async run(stage) {
    stage.needs('start', 'probe')
    const order = await stage.order({ follows: payLater })
    await stage.settle()
    await order.isUnpaidBefore()
    stage.letClockGo()
    const fault = await stage.plan({
      on: ['orders', 'crypto-orders'],
      where: { requestId: order.requestId },
      effect: { status: 503 },
      times: null,
      for: '1d',
    })
    stage.note('every lookup of the order is answered 503 from now on')
    if (stage.app.webhookUrl !== null) {
      await stage.send({ event: { requestId: order.requestId, orderStatus: 'COMPLETED' } })
      await staysUnpaid(order, 'a webhook')
      // Some applications believe a webhook only after they have repeated the lookup a few times.
      await stage.pause(5 * stage.app.settleMs)
      await staysUnpaid(order, 'a webhook')
    }
    await returns(order, stage)
    await stage.unplan(fault)
    stage.note('lookups are answered again')
    await stage.reconcile()
    await staysUnpaid(order, 'a webhook or a browser')
  },
}

async function returns(order: StagedOrder, stage: Stage): Promise<void> {
  try {
    const url = returnUrlTo(await callbackUrlOf(order), {
      requestId: order.requestId,
      orderId: order.orderId ?? '',
      orderStatus: 'COMPLETED',
    })
    await stage.app.open(url)
    stage.note(`a browser opens ${url} (its data says COMPLETED)`, { about: order.requestId })
  } catch (error) {
    if (error instanceof NotSeen) return
    throw error
  }
  await staysUnpaid(order, 'a returning browser')
}

/** @throws Finding if the order is fulfilled */
async function staysUnpaid(order: StagedOrder, who: string): Promise<void> {
  try {
    await order.staysWithoutEffect('believed')
  } catch (error) {
    if (!(error instanceof Finding)) throw error
    const did = `While its lookups failed, ${who} said COMPLETED. ${error.words.did}`
    throw new Finding({ ...error.words, did })
  }
}

import { browserReturns } from '../acts/browser-return.ts'
import type { Case } from '../case.ts'
import { Finding } from '../finding.ts'
import type { Script } from '../stage/scripts.ts'
import type { Stage } from '../stage/stage.ts'
import type { StagedOrder } from '../stage/staged-order.ts'
import { simplerFailures } from './found-before.ts'

const paidThenFailed: Script = {
  timeline: [
    { at: '2s', pay: 'completed' },
    { at: '1m', order: 'FAILED', error: '9004' },
  ],
}

export const paidButFailed: Case = {
  id: 'K21',
  level: 'MUST',
  sideBySide: true,
  title: 'The payment is COMPLETED, and then the order is FAILED',
  happens:
    'The crypto lookup shows paymentStatus COMPLETED while the order is still CREATED; then the order is FAILED.',
  right: 'In the end the order is failed and nothing stays fulfilled: an earlier fulfilment is revoked.',
  why: 'Only orderStatus says that you are paid. A payment that has arrived can still be returned.',
  explainedBy: [...simplerFailures, { cases: ['K02'], defect: 'wrong-status' }],
  async run(stage) {
    stage.needs('start', 'probe')
    const order = await stage.order({ follows: paidThenFailed })
    await order.isUnpaidBefore()
    await stage.advance('5s')
    await looksMeanwhile(order, stage)
    await stage.advanceAtLeast('2m')
    await endsFailed(order, stage)
  },
}

/** Gives the application opportunities to look the payment up. An application that never looks cannot be misled. */
async function looksMeanwhile(order: StagedOrder, stage: Stage): Promise<void> {
  const before = (await order.calls()).length
  if (stage.app.webhookUrl !== null)
    for (const created of await order.deliveries('CREATED')) await stage.resend(created)
  await browserReturns(order, stage)
  await stage.reconcile()
  await stage.until(async () => (await order.calls()).length > before)
  await stage.pause(stage.app.settleMs)
}

async function endsFailed(order: StagedOrder, stage: Stage): Promise<void> {
  const { settleMs } = stage.app
  const isFailed = async () => {
    const seen = await order.look()
    return seen === null || (seen.state === 'FAILED' && (seen.effects ?? 0) === 0)
  }
  if (!(await stage.until(isFailed, settleMs))) {
    await stage.reconcile()
    await stage.until(isFailed, stage.longestMs)
  }
  const seen = await order.look()
  if (seen !== null && (seen.effects ?? 0) > 0)
    throw new Finding({
      defect: 'premature',
      did: `It fulfilled the order when its payment was COMPLETED, and still counts ${seen.effects} although the order has FAILED`,
      requestId: order.requestId,
    })
  await order.becomesFailed()
}

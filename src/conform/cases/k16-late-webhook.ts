import { browserReturns } from '../acts/browser-return.ts'
import type { Case } from '../case.ts'
import { NotSeen } from '../finding.ts'
import { happy } from '../stage/scripts.ts'
import type { Stage } from '../stage/stage.ts'
import type { StagedOrder } from '../stage/staged-order.ts'
import { whatWebhooksShow } from './found-before.ts'

export const lateWebhook: Case = {
  id: 'K16',
  level: 'MUST',
  sideBySide: true,
  title: 'The webhook arrives 40 minutes after a lookup has shown the payment',
  happens:
    'The webhook of COMPLETED is 40 minutes late. Meanwhile the application looks the order up and acts on it. Then the webhook arrives.',
  right: 'Do not fulfil again when the webhook arrives.',
  why: 'Polling and webhooks report the same payment. Each has to see what the other has already done.',
  explainedBy: whatWebhooksShow,
  async run(stage) {
    stage.needs('start', 'probe', 'webhookUrl')
    const order = await stage.order({
      follows: { ...happy, webhooks: { of: 'COMPLETED', delay: '40m' } },
    })
    order.needsEffects()
    await stage.advance('10s')
    await findsOut(order, stage)
    await stage.advanceAtLeast('45m')
    await order.staysPaid()
  },
}

/** Makes the application learn of the payment, in the fastest way it has. */
async function findsOut(order: StagedOrder, stage: Stage): Promise<void> {
  const { settleMs, patienceMs, pollingMs } = stage.app
  const isPaid = () => order.isPaid()
  if ((await stage.reconcile()) && (await stage.until(isPaid, patienceMs))) return
  if ((await browserReturns(order, stage)) && (await stage.until(isPaid, settleMs))) return
  if (!stage.learned.neverLooks && (await stage.until(isPaid, pollingMs))) return
  throw new NotSeen(
    `the application did not notice the payment by polling within ${pollingMs / 1000} s: see K28`,
  )
}

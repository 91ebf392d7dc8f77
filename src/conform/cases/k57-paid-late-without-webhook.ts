import type { Case } from '../case.ts'
import { Finding, NotSeen } from '../finding.ts'
import { payLater } from '../stage/scripts.ts'
import type { Stage } from '../stage/stage.ts'
import { simplerFailures } from './found-before.ts'

/** How often the application looks before the payment, if its job can be called. */
const looksBefore = 20

export const paidLateWithoutWebhook: Case = {
  id: 'K57',
  level: 'SHOULD',
  sideBySide: 'usual',
  title: 'Paid late, and no webhook comes',
  happens:
    'A customer takes long to pay: the time named by `polling` passes twice, or your job runs twenty times. Then the order is COMPLETED, and no webhook comes.',
  right: 'Keep looking an open order up, with growing pauses, until it is decided or expired.',
  why: 'An application that looks only a few times loses every customer who pays slowly when a webhook is lost.',
  explainedBy: [...simplerFailures, { cases: ['K28'], defect: 'lost' }],
  async run(stage) {
    stage.needs('start', 'probe')
    const { saysItPolls, reconcile } = stage.app
    if (stage.learned.neverLooks)
      throw new NotSeen('the application did not notice a payment by polling: see K28')
    if (!saysItPolls && reconcile === null)
      throw new NotSeen(
        'how often your application looks open orders up: set `polling`, like `polling: 5s`, or `reconcile`',
      )
    const order = await stage.order({ follows: { ...payLater, webhooks: { drop: true } } })
    await order.isUnpaidBefore()
    const waited = await takesLong(stage)
    await order.pay()
    await stage.advanceAtLeast('10s')
    stage.letClockGo()
    try {
      await order.endsPaid()
    } catch (error) {
      if (!(error instanceof Finding) || error.words.defect !== 'lost') throw error
      const did = `The order was paid after ${waited}, without a webhook, and it has not noticed within ${stage.longestMs / 1_000} s. ${error.words.did}`
      throw new Finding({ ...error.words, did })
    }
  },
}

/** Lets the application look several times before the payment.
 *  @returns what has passed, in words */
async function takesLong(stage: Stage): Promise<string> {
  const { saysItPolls, pollingMs } = stage.app
  const looks = stage.app.reconcile === null ? 0 : looksBefore
  for (let look = 1; look <= looks; look++) await stage.reconcile()
  await stage.advance('5m')
  await stage.reconcile()
  if (saysItPolls) await stage.pause(2 * pollingMs)
  const ran = looks === 0 ? [] : [`${looks} calls of \`reconcile\``]
  return [...ran, ...(saysItPolls ? [`${(2 * pollingMs) / 1_000} s`] : [])].join(' and ')
}

import type { Seen } from '../application/application.ts'
import type { Case } from '../case.ts'
import { Finding } from '../finding.ts'
import { inWords } from '../stage/expectation.ts'
import { refunded } from '../stage/scripts.ts'
import type { Stage } from '../stage/stage.ts'
import type { StagedOrder } from '../stage/staged-order.ts'
import { simplerFailures } from './found-before.ts'

export const paidAgainAfterRefund: Case = {
  id: 'K43',
  level: 'MUST',
  sideBySide: 'usual',
  title: 'COMPLETED again, three days after a full refund',
  happens:
    'A paid order is refunded in full. Three days later two more webhooks say COMPLETED, with new ids: the lookup of the order still says so.',
  right: 'Do not fulfil again, and keep showing the order as refunded.',
  why: 'A refund does not change the status of the order, so a late COMPLETED is true, and still no reason to ship again.',
  explainedBy: [...simplerFailures, { cases: ['K13', 'K16'], defect: 'doubled' }],
  async run(stage) {
    stage.needs('start', 'probe', 'webhookUrl')
    const order = await stage.order({ follows: refunded })
    order.needsEffects()
    await stage.advanceAtLeast('10s')
    await order.isPaidBefore()
    await stage.advanceAtLeast('60s')
    await stage.reconcile()
    await stage.advanceAtLeast('3d')
    await stage.reconcile()
    stage.letClockGo()
    let before = await order.look()
    for (let webhook = 1; webhook <= webhooks; webhook++) {
      // Its job that clears old orders away may come between.
      before = await staysAsItIs(before, order, stage)
      await stage.send({ event: { requestId: order.requestId, orderStatus: 'COMPLETED' } })
      before = await staysAsItIs(before, order, stage)
    }
  },
}

const webhooks = 2

/** Checks that the order is not fulfilled or shown as paid again. The application may notice the refund meanwhile, and
 *  revoke.
 *  @returns what it shows now
 *  @throws Finding */
async function staysAsItIs(earlier: Seen | null, order: StagedOrder, stage: Stage): Promise<Seen | null> {
  let before = earlier
  await stage.until(async () => {
    const seen = await order.look()
    if (before === null || seen === null) return true
    const again = (seen.effects ?? 0) > (before.effects ?? 0)
    if (!again && !(seen.state === 'COMPLETED' && before.state !== 'COMPLETED')) {
      before = seen
      return false
    }
    throw new Finding({
      defect: again ? 'doubled' : 'wrong-status',
      did: `After a full refund ${inWords(before)}. Then a webhook said COMPLETED again, and ${inWords(seen)}`,
      requestId: order.requestId,
    })
  }, stage.app.settleMs)
  return before
}

import { chargedSoFar, countsEffects, nextCharge, silentSubscription } from '../acts/subscription.ts'
import type { Case } from '../case.ts'
import { Finding, NotSeen } from '../finding.ts'
import type { Stage } from '../stage/stage.ts'
import type { StagedOrder } from '../stage/staged-order.ts'

const months = 4

export const renewalsWithoutWebhooks: Case = {
  id: 'K47',
  level: 'MUST',
  sideBySide: 'usual',
  title: 'Renewals without any webhook',
  happens: `A subscription is charged for ${months} months, and none of its webhooks ever arrives.`,
  right: 'Look running subscriptions up regularly, and fulfil once for each charge that is COMPLETED.',
  why: 'The customer pays every month. An application that waits for webhooks cuts off customers who have paid.',
  explainedBy: [
    { cases: ['K28', 'K37'], defect: 'lost' },
    { cases: ['K16', 'K37'], defect: 'doubled' },
  ],
  async run(stage) {
    const order = await stage.order({ kind: 'subscription', follows: silentSubscription })
    await countsEffects(order)
    if (stage.learned.neverLooks)
      throw new NotSeen('the application did not notice a payment by polling: see K28')
    await stage.advanceAtLeast('10s')
    for (let month = 1; month <= months; month++) {
      await nextCharge(order, stage)
      await findsThem(order, stage)
    }
    stage.letClockGo()
    await order.releases(await chargedSoFar(order, stage), 'doubled')
  },
}

/** Waits until the application has fulfilled as often as there were charges.
 *  @throws Finding */
async function findsThem(order: StagedOrder, stage: Stage): Promise<void> {
  const charged = await chargedSoFar(order, stage)
  await stage.reconcile()
  const found = await stage.until(
    async () => ((await order.look())?.effects ?? charged) >= charged,
    stage.longestMs,
  )
  if (found) return
  const seen = await order.look()
  throw new Finding({
    defect: 'lost',
    did: `${charged} charges of the subscription are COMPLETED, no webhook came, and it has fulfilled ${seen?.effects ?? 0} of them, after ${stage.longestMs / 1_000} s of wall-clock time${stage.app.reconcile === null ? '' : ' and with `reconcile` called'}`,
    requestId: order.requestId,
  })
}

import { chargedSoFar, countsEffects, silentSubscription } from '../acts/subscription.ts'
import type { Case } from '../case.ts'
import { Finding } from '../finding.ts'
import type { Stage } from '../stage/stage.ts'
import type { StagedOrder } from '../stage/staged-order.ts'

/** Longer than the trial and two months, and shorter than three months. */
const untilTheThird = '75d'

export const chargesAtOnce: Case = {
  id: 'K53',
  level: 'MUST',
  sideBySide: 'usual',
  title: 'Three charges, one webhook',
  happens:
    'Three charges of a subscription are COMPLETED while its webhooks are lost. Then one webhook arrives, about the last of them.',
  right: 'Read all records in `data` of the lookup, and fulfil once for each charge that is COMPLETED.',
  why: 'The lookup returns a list. An application that reads one record of it loses the payments that it was not told about.',
  explainedBy: [
    { cases: ['K37', 'K47'], defect: 'lost' },
    { cases: ['K16', 'K37', 'K47'], defect: 'doubled' },
  ],
  async run(stage) {
    const order = await stage.order({ kind: 'subscription', follows: silentSubscription })
    await countsEffects(order)
    await stage.advanceAtLeast('10s')
    // In one step: an application that polls must not find the charges one by one.
    await stage.advanceAtLeast(untilTheThird)
    await hearsOfTheLast(order, stage)
    const charged = await chargedSoFar(order, stage)
    const found = await stage.until(async () => ((await order.look())?.effects ?? charged) >= charged)
    if (!found) {
      await stage.reconcile()
      await stage.until(async () => ((await order.look())?.effects ?? charged) >= charged, stage.longestMs)
    }
    const seen = await order.look()
    if ((seen?.effects ?? charged) < charged)
      throw new Finding({
        defect: 'lost',
        did: `${charged} charges of the subscription were COMPLETED when one webhook came, and it has fulfilled ${seen?.effects} of them`,
        requestId: order.requestId,
      })
    stage.letClockGo()
    await order.releases(charged, 'doubled')
  },
}

async function hearsOfTheLast({ requestId }: StagedOrder, stage: Stage): Promise<void> {
  if (stage.app.webhookUrl === null) return
  const all = await stage.client.orders.list({ requestId })
  const last = all.findLast(({ orderStatus }) => orderStatus === 'COMPLETED')
  if (last === undefined) return
  const { orderId, orderStatus } = last
  await stage.send({ event: { requestId, orderId, orderStatus } })
}

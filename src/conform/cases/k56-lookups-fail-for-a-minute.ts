import type { Case } from '../case.ts'
import { Finding, NotSeen } from '../finding.ts'
import { payLater, type Script } from '../stage/scripts.ts'
import type { Stage } from '../stage/stage.ts'
import type { StagedOrder } from '../stage/staged-order.ts'
import { foundByLateWebhook, foundInNormalLife } from './found-before.ts'

/** The webhook is sent again only after the minute, so that it causes no lookups meanwhile. */
const retriedAfterwards: Script = {
  ...payLater,
  settings: { ...payLater.settings, 'webhook.retry.base': '70s' },
}

/** Maximum number of lookups during the failure. */
const mostLookups = 30
/** Wall-clock time during which the lookups are counted. */
const watchMs = 2_000

export const lookupsFailForAMinute: Case = {
  id: 'K56',
  level: 'SHOULD',
  title: 'Lookups fail for a minute',
  happens:
    'An order is COMPLETED, and for a minute each of its lookups is answered 503. Afterwards lookups succeed, and the webhook comes again.',
  right: `Repeat the lookup with growing pauses, at most ${mostLookups} times in that minute, and fulfil once.`,
  why: 'A loop without pauses keeps a struggling service down, and an application that gives up loses the order.',
  explainedBy: [...foundInNormalLife, ...foundByLateWebhook, { cases: ['K29'], defect: 'lost' }],
  async run(stage) {
    stage.needs('start', 'probe')
    const order = await stage.order({ follows: retriedAfterwards })
    await order.isUnpaidBefore()
    await order.pay()
    const fault = await stage.plan({
      on: ['orders', 'crypto-orders'],
      where: { requestId: order.requestId },
      effect: { status: 503 },
      times: null,
      for: '1h',
    })
    await stage.advance('5s')
    await stage.reconcile()
    await countLookups(order, stage)
    await stage.advance('55s')
    await stage.unplan(fault)
    await stage.advance('30s')
    await order.endsPaid()
  },
}

/** @throws Finding if there are too many; NotSeen if there is none */
async function countLookups(order: StagedOrder, stage: Stage): Promise<void> {
  const failed = async () => (await order.calls()).filter(({ status }) => status === 503).length
  await stage.until(async () => (await failed()) > mostLookups, watchMs)
  const count = await failed()
  if (count === 0) throw new NotSeen('the application looked nothing up while lookups failed')
  if (count > mostLookups)
    throw new Finding({
      defect: 'endless',
      did: `It repeated the lookup more than ${mostLookups} times within ${watchMs / 1_000} s while each was answered 503`,
      requestId: order.requestId,
    })
}

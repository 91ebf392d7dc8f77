import type { FaultRequest } from '../../index.ts'
import type { Case } from '../case.ts'
import { NotSeen } from '../finding.ts'
import { happy } from '../stage/scripts.ts'
import type { Stage } from '../stage/stage.ts'
import type { StagedOrder } from '../stage/staged-order.ts'
import { foundByLateWebhook, foundInNormalLife } from './found-before.ts'

const proxyPage = `<html>
<head><title>502 Bad Gateway</title></head>
<body><center><h1>502 Bad Gateway</h1></center></body>
</html>
`

export const lookupsFail: Case = {
  id: 'K32',
  level: 'SHOULD',
  sideBySide: 'failing',
  title: 'Lookups fail for a while',
  happens:
    'While COMPLETED is reported, each lookup is answered 503, then 502 with an HTML page, then correctly again.',
  right: 'Treat such an answer as no answer, retry later, and fulfil once.',
  why: 'Otherwise a customer who pays during a short outage of the service gets nothing, and nobody notices.',
  // The service retries webhooks that the application refuses while its lookups fail.
  explainedBy: [...foundInNormalLife, ...foundByLateWebhook],
  async run(stage) {
    stage.needs('start')
    const order = await stage.order({ follows: happy })
    await order.isUnpaidBefore()
    await stage.settle()
    const unavailable = await failLookups(stage, order, { status: 503 })
    await meanwhile(stage, '5s')
    // Plan the second fault before the first ends, so that no lookup succeeds in between.
    const proxied = await failLookups(stage, order, { status: 502, body: proxyPage })
    await stage.unplan(unavailable)
    await meanwhile(stage, '2s')
    await stage.unplan(proxied)
    const failed = (await order.calls()).filter(({ status }) => status === 502 || status === 503)
    if (failed.length === 0) throw new NotSeen('your application made no lookup while lookups failed')
    stage.letClockGo()
    await order.endsPaid()
  },
}

/** Makes lookups of an order fail until the fault is removed.
 *  @returns the fault's id */
function failLookups(
  stage: Stage,
  { requestId }: StagedOrder,
  effect: FaultRequest['effect'],
): Promise<string> {
  return stage.plan({
    on: ['orders', 'crypto-orders'],
    where: { requestId },
    effect,
    times: null,
    for: '1h',
  })
}

/** Advances the clock, and gives the application time for its own retries. */
async function meanwhile(stage: Stage, by: string): Promise<void> {
  await stage.advance(by)
  await stage.reconcile()
  await stage.pause(stage.app.settleMs)
}

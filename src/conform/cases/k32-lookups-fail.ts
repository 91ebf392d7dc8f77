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

/** Every service has a bad minute, and a proxy in front that does not speak JSON. */
export const lookupsFail: Case = {
  id: 'K32',
  level: 'SHOULD',
  title: 'Lookups fail for a while',
  happens:
    'While COMPLETED is told, each lookup is answered 503, then 502 with an HTML page, then well again.',
  right: 'Take such an answer for no answer, try again later, and release once.',
  why: 'A customer who has paid in a bad minute of the service gets nothing, and nobody notices.',
  // Webhooks that it refuses meanwhile come again.
  explainedBy: [...foundInNormalLife, ...foundByLateWebhook],
  async run(stage) {
    stage.needs('start')
    const order = await stage.order({ follows: happy })
    await order.isUnpaidBefore()
    await stage.settle()
    await meanwhile(stage, order, { status: 503 }, '5s')
    await meanwhile(stage, order, { status: 502, body: proxyPage }, '2s')
    const failed = (await order.calls()).filter(({ status }) => status === 502 || status === 503)
    if (failed.length === 0) throw new NotSeen('your application looked nothing up while lookups failed')
    await order.endsPaid()
  },
}

/** Has lookups fail while the clock moves, and for a moment of its own retries. */
async function meanwhile(
  stage: Stage,
  { requestId }: StagedOrder,
  effect: FaultRequest['effect'],
  by: string,
): Promise<void> {
  const fault = await stage.plan({
    on: ['orders', 'crypto-orders'],
    where: { requestId },
    effect,
    times: null,
    for: '1h',
  })
  await stage.advance(by)
  await stage.reconcile()
  await stage.pause(stage.app.settleMs)
  await stage.unplan(fault)
}

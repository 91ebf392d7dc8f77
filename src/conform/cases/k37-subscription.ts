import type { Case } from '../case.ts'
import { NotSeen } from '../finding.ts'
import type { Script } from '../stage/scripts.ts'
import type { Stage } from '../stage/stage.ts'
import type { StagedOrder } from '../stage/staged-order.ts'

const thirdFails: Script = {
  for: 'subscription',
  trial: '7d',
  timeline: [
    { at: '2s', pay: 'completed' },
    { every: 'interval', times: 6, order: 'COMPLETED' },
    { charge: 3, order: 'FAILED', error: '9004' },
  ],
}

const charges = 4

/** A subscription has one requestId, and an order for each charge. */
export const subscription: Case = {
  id: 'K37',
  level: 'MUST',
  sideBySide: true,
  title: 'A subscription whose third charge fails',
  happens:
    'After a trial there is a charge each month, all under one requestId, each with its own orderId. The third charge is FAILED.',
  right: 'Fulfil once for each charge that is COMPLETED, and not for the FAILED one or during the trial.',
  why: 'An application that counts requestIds delivers only one month. One that counts webhooks delivers unpaid months.',
  explainedBy: [
    { cases: ['K01'], defect: 'lost' },
    { cases: ['K01', 'K02'], defect: 'premature' },
    { cases: ['K08', 'K09', 'K10', 'K11', 'K12'], defect: 'doubled' },
  ],
  async run(stage) {
    const order = await stage.order({ kind: 'subscription', follows: thirdFails })
    await countsEffects(order)
    await stage.advance('10s')
    await order.releases(await completedOf(order, stage), 'premature')
    for (let charge = 1; charge <= charges; charge++) {
      await nextCharge(order, stage)
      await order.releases(await completedOf(order, stage), charge === 3 ? 'premature' : 'doubled')
    }
  },
}

/** Requires a count of fulfilments.
 *  @throws NotSeen without one */
async function countsEffects(order: StagedOrder): Promise<void> {
  const seen = await order.probe()
  if (seen === null) throw new NotSeen('what your application delivered for each charge: set `probe`')
  if (seen.effects === null)
    throw new NotSeen('how often your application fulfilled the order: set `probe.effects`')
}

/** Advances to the next charge, whenever the application has scheduled it. */
async function nextCharge({ requestId }: StagedOrder, stage: Stage): Promise<void> {
  const [first] = await stage.client.orders.list({ requestId, limit: 1 })
  const nowMs = await stage.client.clock.now()
  const dueMs = first?.subscription?.nextAt ?? nowMs
  await stage.advance(`${Math.max(0, Math.ceil((dueMs - nowMs) / 1_000)) + 60}s`)
}

async function completedOf({ requestId }: StagedOrder, stage: Stage): Promise<number> {
  const all = await stage.client.orders.list({ requestId })
  stage.note(
    `the service lists the charges of the subscription: ${all.map(({ orderStatus }) => orderStatus).join(', ')}`,
  )
  return all.filter(({ orderStatus }) => orderStatus === 'COMPLETED').length
}

import { NotSeen } from '../finding.ts'
import type { Script } from '../stage/scripts.ts'
import type { Stage } from '../stage/stage.ts'
import type { StagedOrder } from '../stage/staged-order.ts'

/** A monthly subscription after a free week. */
export const monthly: Script = {
  for: 'subscription',
  trial: '7d',
  timeline: [
    { at: '2s', pay: 'completed' },
    { every: 'interval', times: 6, order: 'COMPLETED' },
  ],
}

/** A subscription none of whose webhooks arrives. */
export const silentSubscription: Script = { ...monthly, webhooks: { drop: true } }

/** Requires a count of fulfilments, because one subscription is fulfilled many times.
 *  @throws NotSeen without one */
export async function countsEffects(order: StagedOrder): Promise<void> {
  const seen = await order.probe()
  if (seen === null) throw new NotSeen('what your application delivered for each charge: set `probe`')
  if (seen.effects === null)
    throw new NotSeen('how often your application fulfilled the order: set `probe.effects`')
}

/** Advances to the next charge, whenever the application has scheduled it. */
export async function nextCharge({ requestId }: StagedOrder, stage: Stage): Promise<void> {
  const [first] = await stage.client.orders.list({ requestId, limit: 1 })
  const nowMs = await stage.client.clock.now()
  const dueMs = first?.subscription?.nextAt ?? nowMs
  await stage.advanceAtLeast(`${Math.max(0, Math.ceil((dueMs - nowMs) / 1_000)) + 60}s`)
}

/** The number of charges of a subscription that are COMPLETED. */
export async function chargedSoFar({ requestId }: StagedOrder, stage: Stage): Promise<number> {
  const all = await stage.client.orders.list({ requestId })
  stage.note(
    `the service lists the charges of the subscription: ${all.map(({ orderStatus }) => orderStatus).join(', ')}`,
    { about: requestId },
  )
  return all.filter(({ orderStatus }) => orderStatus === 'COMPLETED').length
}

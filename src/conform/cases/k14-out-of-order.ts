import type { Case } from '../case.ts'
import { happy } from '../stage/scripts.ts'
import type { Stage } from '../stage/stage.ts'
import { foundByLateWebhook, simplerFailures } from './found-before.ts'

export const outOfOrder: Case = {
  id: 'K14',
  level: 'MUST',
  sideBySide: true,
  title: 'COMPLETED before CREATED, and CREATED again afterwards',
  happens:
    'For one paid order the webhook of CREATED arrives once more; for another, COMPLETED arrives before CREATED.',
  right: 'Fulfil once, and keep the order paid whatever arrives late.',
  why: 'Webhooks can overtake each other. A late one must not turn a paid order back into an unpaid one.',
  explainedBy: [...simplerFailures, ...foundByLateWebhook],
  async run(stage) {
    stage.needs('start', 'probe', 'webhookUrl')
    await createdAgain(stage)
    await createdLast(stage)
  },
}

async function createdAgain(stage: Stage): Promise<void> {
  const order = await stage.order()
  await order.isUnpaidBefore()
  await stage.advanceAtLeast('10s')
  await order.isPaidBefore()
  for (const created of await order.deliveries('CREATED')) await stage.resend(created)
  await order.staysPaid()
}

/** Delivers CREATED 5 seconds after the first attempt of COMPLETED. An application may refuse COMPLETED until it has
 *  seen CREATED; the service then retries COMPLETED. */
async function createdLast(stage: Stage): Promise<void> {
  const order = await stage.order({
    follows: { ...happy, webhooks: { of: 'CREATED', after: 'COMPLETED', delay: '5s' } },
  })
  await stage.advance('7s')
  await stage.until(() => order.isPaid(), stage.app.settleMs)
  await stage.advanceAtLeast('20m')
  await order.endsPaid()
}

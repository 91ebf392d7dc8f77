import type { Case } from '../case.ts'
import { happy } from '../stage/scripts.ts'
import { foundByLateWebhook, simplerFailures } from './found-before.ts'

export const outOfOrder: Case = {
  id: 'K14',
  level: 'MUST',
  sideBySide: 'usual',
  title: 'COMPLETED before CREATED, and CREATED again afterwards',
  happens:
    'For one paid order the webhook of CREATED arrives once more; for another, COMPLETED arrives before CREATED.',
  right: 'Fulfil once, and keep the order paid whatever arrives late.',
  why: 'Webhooks can overtake each other. A late one must not turn a paid order back into an unpaid one.',
  explainedBy: [...simplerFailures, ...foundByLateWebhook],
  async run(stage) {
    stage.needs('start', 'probe', 'webhookUrl')
    const again = await stage.order()
    await again.isUnpaidBefore()
    // CREATED comes 15 seconds after the first attempt of COMPLETED. An application may refuse COMPLETED until then; the
    // service sends it again.
    const last = await stage.order({
      follows: { ...happy, webhooks: { of: 'CREATED', after: 'COMPLETED', delay: '15s' } },
    })
    await stage.advance('10s')
    await again.isPaidBefore()
    for (const created of await again.deliveries('CREATED')) await stage.resend(created)
    await again.staysPaid()
    await stage.advanceAtLeast('20m')
    stage.letClockGo()
    await last.endsPaid()
  },
}

import { paidByWebhook } from '../acts/repeated-webhook.ts'
import type { Case } from '../case.ts'
import { happy, type Script } from '../stage/scripts.ts'

const sentTwice: Script = {
  timeline: happy.timeline,
  webhooks: { of: 'COMPLETED', duplicate: 1, apart: '10s', ids: 'fresh' },
}

export const anotherId: Case = {
  id: 'K11',
  level: 'MUST',
  sideBySide: true,
  title: 'Two webhooks of one payment',
  happens: 'A second webhook reports the same order as COMPLETED, under a different webhook id.',
  right: 'Do not fulfil again: remember which orders were fulfilled, not only which webhook ids arrived.',
  why: 'A service that sends an event again by hand, or after an internal failure, gives it a new id.',
  explainedBy: [{ cases: ['K08', 'K09'], defect: 'doubled' }],
  async run(stage) {
    const order = await paidByWebhook(stage, '5s', sentTwice)
    order.needsEffects()
    await stage.advanceAtLeast('30s')
    await order.staysPaid()
  },
}

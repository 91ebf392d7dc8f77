import { paidByWebhook } from '../acts/repeated-webhook.ts'
import type { Case } from '../case.ts'
import { happy, type Script } from '../stage/scripts.ts'

/** Three answers count as lost, so the webhook is sent four times, each with its own timestamp and signature. */
const sentFourTimes: Script = {
  timeline: happy.timeline,
  webhooks: [
    { of: 'COMPLETED', countAs: 500, times: 3, timestamp: '-10s' },
    { of: 'COMPLETED', times: 2, timestamp: '-20s' },
    { of: 'COMPLETED', times: 1, timestamp: '-30s' },
  ],
}

export const newAttempts: Case = {
  id: 'K09',
  level: 'MUST',
  sideBySide: true,
  title: 'The same webhook in new attempts',
  happens:
    'The answer to the webhook of COMPLETED is lost three times, so the service sends the webhook again: same id, new timestamp and signature.',
  right: 'Do not fulfil again. Answer 2xx, or the service keeps sending it.',
  why: 'The sender cannot know that you received it. An application that acts on each attempt ships again after every network timeout.',
  explainedBy: [{ cases: ['K08'], defect: 'doubled' }],
  async run(stage) {
    const order = await paidByWebhook(stage, '5s', sentFourTimes)
    order.needsEffects()
    await stage.advanceAtLeast('1m')
    await order.staysPaid()
  },
}

import { paidByWebhook } from '../acts/repeated-webhook.ts'
import type { Case } from '../case.ts'
import { isTaken, lastAttempt } from '../evidence/webhook-answer.ts'

export const aDayLater: Case = {
  id: 'K13',
  level: 'SHOULD',
  title: 'The same webhook 26 hours later',
  happens: 'The webhook of COMPLETED is accepted, and arrives again 26 hours later on the client’s clock.',
  right: 'Do not fulfil again, however much time has passed.',
  why: 'An application that stores webhook ids for only a day accepts yesterday’s webhook again and ships twice.',
  sideBySide: true,
  explainedBy: [{ cases: ['K08', 'K09'], defect: 'doubled' }],
  async run(stage) {
    const order = await paidByWebhook(stage, '10s')
    order.needsEffects()
    // A second fulfilment right after the first is left to K08.
    await stage.pause(stage.app.settleMs)
    await stage.advanceAtLeast('26h')
    if (stage.app.time === null)
      stage.cannotSee(
        'whether your application still remembers after a day: set `time`, if its clock can be changed',
      )
    const [completed] = await order.deliveries('COMPLETED')
    if (completed === undefined) return stage.cannotSee('a webhook of COMPLETED')
    await stage.resend(completed)
    await order.staysPaid()
    const again = await stage.client.deliveries.get(completed.id)
    if (isTaken(lastAttempt(completed)) && !isTaken(lastAttempt(again)))
      stage.cannotSee('how it handles the repeated webhook: it did not accept it')
  },
}

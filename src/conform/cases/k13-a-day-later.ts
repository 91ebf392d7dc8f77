import { paidAsTold } from '../acts/paid-as-told.ts'
import type { Case } from '../case.ts'
import { isTaken, lastAttempt } from '../evidence/webhook-answer.ts'

/** Memories of what was done must not fade. */
export const aDayLater: Case = {
  id: 'K13',
  level: 'SHOULD',
  title: 'The same webhook 26 hours later',
  happens: 'The webhook of COMPLETED was accepted, and comes again after 26 hours of the clock.',
  right: 'Release nothing more, however long ago it was.',
  why: 'Ids that are kept for a day only let yesterday’s webhooks through: parcels go out a second time.',
  wholeClient: true,
  explainedBy: [{ cases: ['K08', 'K09'], defect: 'doubled' }],
  async run(stage) {
    const order = await paidAsTold(stage, '10s')
    order.needsEffects()
    await stage.advance('26h')
    if (stage.app.time === null)
      stage.cannotSee('what a day does to its memory: give `time`, if its clock can be set')
    const [completed] = await order.deliveries('COMPLETED')
    if (completed === undefined) return stage.cannotSee('a webhook of COMPLETED')
    await stage.resend(completed)
    await order.staysPaid()
    const again = await stage.client.deliveries.get(completed.id)
    if (isTaken(lastAttempt(completed)) && !isTaken(lastAttempt(again)))
      stage.cannotSee('what it makes of the webhook: it no longer took it')
  },
}

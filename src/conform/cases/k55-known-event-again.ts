import type { Delivery } from '../../index.ts'
import { paidByWebhook } from '../acts/repeated-webhook.ts'
import type { Case } from '../case.ts'
import { type Attempt, defectOf, inWords, isTaken, lastAttempt } from '../evidence/webhook-answer.ts'
import { Finding } from '../finding.ts'
import { foundInNormalLife } from './found-before.ts'

export const knownEventAgain: Case = {
  id: 'K55',
  level: 'SHOULD',
  sideBySide: 'usual',
  title: 'The answer to a webhook that was handled before',
  happens:
    'The webhook of COMPLETED is accepted and the order fulfilled. Then the same webhook arrives again, and one with a new id.',
  right: 'Answer 2xx to each of them.',
  why: 'Anything else means "not received": the service sends the webhook again for hours, and may switch the URL off.',
  explainedBy: foundInNormalLife,
  async run(stage) {
    stage.needs('webhookUrl')
    const order = await paidByWebhook(stage, '10s')
    const [completed] = await order.deliveries('COMPLETED')
    if (completed === undefined || !isTaken(lastAttempt(completed)))
      return stage.cannotSee('how it answers a repeated webhook: it did not accept the first one')
    stage.letClockGo()
    await stage.resend(completed)
    const first = lastAttempt(completed)
    mustBeTaken('the same webhook again', await stage.client.deliveries.get(completed.id), first)
    const event = { requestId: order.requestId, orderStatus: 'COMPLETED' }
    mustBeTaken('the same event under a new id', await stage.send({ event }), first)
  },
}

/** @throws Finding unless the repeated webhook was answered 2xx */
function mustBeTaken(what: string, delivery: Delivery, first: Attempt): void {
  const attempt = lastAttempt(delivery)
  if (isTaken(attempt)) return
  throw new Finding({
    defect: defectOf(attempt),
    did: `It ${inWords(first)} to the webhook of COMPLETED, and ${inWords(attempt)} to ${what}`,
    requestId: delivery.requestId,
    deliveryId: delivery.id,
  })
}

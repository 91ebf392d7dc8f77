import type { Case } from '../case.ts'
import { Finding, NotSeen } from '../finding.ts'
import { payLater } from '../stage/scripts.ts'
import type { Stage } from '../stage/stage.ts'
import type { StagedOrder } from '../stage/staged-order.ts'
import { foundByLateWebhook, simplerFailures } from './found-before.ts'

export const lookupFailsInside: Case = {
  id: 'K29',
  level: 'MUST',
  sideBySide: 'failing',
  title: 'The lookup fails while a webhook is handled',
  happens:
    'When the webhook of COMPLETED arrives, lookups answer 503 until the webhook is answered. The service sends a webhook again that is not answered with 2xx.',
  right:
    'Answer 5xx, so that the webhook comes again, or store it and repeat the lookup yourself. Fulfil once.',
  why: 'An application that answers 2xx and drops the event loses the order: an accepted webhook never comes again.',
  explainedBy: [...simplerFailures, ...foundByLateWebhook],
  async run(stage) {
    stage.needs('start', 'probe', 'webhookUrl')
    const order = await stage.order({ follows: payLater })
    await order.isUnpaidBefore()
    await order.pay()
    await failsToLookUp(order, stage)
    await stage.advance('20m')
    stage.letClockGo()
    await endsPaid(order, stage)
  },
}

/** Stops the clock at the first attempt of the webhook, with lookups that fail. Lookups work again before the clock
 *  goes on to a retry. */
async function failsToLookUp({ requestId }: StagedOrder, stage: Stage): Promise<void> {
  const fault = await stage.plan({
    on: ['orders', 'crypto-orders'],
    where: { requestId },
    effect: { status: 503 },
    times: null,
    for: '3500ms',
  })
  await stage.advance('3s')
  const met = await stage.until(
    async () => (await stage.client.faults.get(fault)).hits > 0,
    stage.app.settleMs,
  )
  if (!met) throw new NotSeen('the application made no lookup when the webhook arrived')
}

async function endsPaid(order: StagedOrder, stage: Stage): Promise<void> {
  try {
    await order.endsPaid()
  } catch (error) {
    if (!(error instanceof Finding) || error.words.defect !== 'lost') throw error
    const webhook = (await order.deliveries()).find(({ orderStatus }) => orderStatus === 'COMPLETED')
    const status = webhook?.attempts.at(0)?.status ?? null
    stage.note(`its first answer to the webhook of COMPLETED was ${status ?? 'none'}`)
    throw status !== null && status < 300
      ? new Finding({
          ...error.words,
          did: `It answered the webhook with ${status} although its lookup had failed, and never repeated the lookup. ${error.words.did}`,
          deliveryId: webhook?.id,
        })
      : error
  }
}

import type { Case } from '../case.ts'
import { Finding, NotSeen } from '../finding.ts'
import { payLater } from '../stage/scripts.ts'
import type { Stage } from '../stage/stage.ts'
import type { StagedOrder } from '../stage/staged-order.ts'
import { foundByLateWebhook, simplerFailures } from './found-before.ts'

/** The handler of a webhook cannot find out what is true. */
export const lookupFailsInside: Case = {
  id: 'K29',
  level: 'MUST',
  title: 'The lookup fails while a webhook is handled',
  happens:
    'When the webhook of COMPLETED comes, lookups answer 503 until it has been answered. A webhook that was refused comes again.',
  right: 'Answer 5xx, so that it comes again, or keep it and look up again yourself; release once.',
  why: 'Who answers 2xx and forgets it has lost the order: an accepted webhook never comes again.',
  explainedBy: [...simplerFailures, ...foundByLateWebhook],
  async run(stage) {
    stage.needs('start', 'probe', 'webhookUrl')
    const order = await stage.order({ follows: payLater })
    await order.isUnpaidBefore()
    await order.pay()
    await failsToLookUp(order, stage)
    await stage.advance('20m')
    await endsPaid(order, stage)
  },
}

/** The clock stops where the webhook is sent for the first time. Lookups work again before it goes on, to a retry. */
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
  if (!met) throw new NotSeen('the application looked nothing up when the webhook came')
}

async function endsPaid(order: StagedOrder, stage: Stage): Promise<void> {
  try {
    await order.endsPaid()
  } catch (error) {
    if (!(error instanceof Finding) || error.words.defect !== 'lost') throw error
    const told = (await order.deliveries()).find(({ orderStatus }) => orderStatus === 'COMPLETED')
    const status = told?.attempts.at(0)?.status ?? null
    stage.note(`its first answer to the webhook of COMPLETED was ${status ?? 'none'}`)
    throw status !== null && status < 300
      ? new Finding({
          ...error.words,
          did: `It answered the webhook ${status} although its lookup had failed, and never came back to it. ${error.words.did}`,
          deliveryId: told?.id,
        })
      : error
  }
}

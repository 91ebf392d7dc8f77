import { randomUUID } from 'node:crypto'
import { orderAfter } from '../acts/other-orders.ts'
import { together } from '../acts/until-paid.ts'
import type { Seen } from '../application/application.ts'
import type { Case } from '../case.ts'
import { reactionInWords, reactionTo } from '../evidence/reaction.ts'
import { Finding } from '../finding.ts'
import type { Stage } from '../stage/stage.ts'
import { foundByBelief } from './found-before.ts'

/** Webhooks for unknown orders arrive, as from another system on the same account or after a test database was
 *  wiped. */
export const unknownOrder: Case = {
  id: 'K24',
  level: 'MUST',
  sideBySide: 'strange',
  title: 'A webhook about an unknown order',
  happens:
    'Webhooks say COMPLETED and FAILED for orders that your application has never created. Then it creates one of its own.',
  right:
    'Answer within the time limit, best with 2xx, do not create a record for it, and keep handling your own orders.',
  why: 'A handler that crashes on an unknown order also stops the orders of all other customers.',
  explainedBy: foundByBelief,
  async run(stage) {
    const own = await stage.order()
    await stage.advanceAtLeast('10s')
    await own.isPaidBefore()
    const unknown = ['COMPLETED', 'FAILED'].map(
      (status) => [unknownIdLike(own.requestId, stage), status] as const,
    )
    // A probe that calls every order paid shows nothing.
    const isTelling = (await asked(stage, unknownIdLike(own.requestId, stage)))?.state !== 'COMPLETED'
    for (const [requestId, orderStatus] of unknown) await sendForUnknownOrder(stage, requestId, orderStatus)
    if (isTelling) await together(unknown, ([requestId]) => nothingInvented(stage, requestId))
    const next = await orderAfter(stage, 'the webhook about an unknown order')
    await stage.advanceAtLeast('10s')
    stage.letClockGo()
    await next.becomesPaid()
  },
}

async function sendForUnknownOrder(stage: Stage, requestId: string, orderStatus: string): Promise<void> {
  const event = { requestId, orderId: randomUUID(), orderType: 'CHECKOUT', orderStatus }
  const delivery = await stage.send({ event })
  const reaction = reactionTo(delivery)
  if (reaction === 'no-answer' || reaction === 'crashed') {
    const did = `It ${reactionInWords(delivery)} when a webhook said ${orderStatus} for an unknown order.`
    throw new Finding({ defect: reaction, did, requestId, deliveryId: delivery.id })
  }
  if (reaction === 'server-error')
    stage.remark(
      `It ${reactionInWords(delivery)} to a webhook about an unknown order: the service will send it ten more times. An answer of 2xx stops that.`,
    )
}

/** An unknown requestId of the same form: a UUID if the application uses UUIDs, because its database may accept
 *  nothing else. */
const unknownIdLike = (requestId: string, stage: Stage): string =>
  /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(requestId) ? randomUUID() : `stranger-${stage.unique()}`

async function nothingInvented(stage: Stage, requestId: string): Promise<void> {
  await stage.until(async () => {
    const seen = await asked(stage, requestId)
    if (seen === null) return true
    if (seen.state === 'COMPLETED' || (seen.effects ?? 0) > 0)
      throw new Finding({
        defect: 'believed',
        did: `It treats an order as paid that it has never created, because a webhook said so: its status is ${JSON.stringify(seen.word)}, and its fulfilments are ${seen.effects ?? 'not counted'}.`,
        requestId,
      })
    return false
  }, stage.app.settleMs)
}

/** How the application shows an unknown order; null if that cannot be observed. */
async function asked({ app }: Stage, requestId: string): Promise<Seen | null> {
  try {
    // Without a start call, the application's own id of the order is unknown.
    return app.probesById ? null : ((await app.probe?.(requestId, null)) ?? null)
  } catch {
    return null
  }
}

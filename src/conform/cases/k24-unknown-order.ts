import { randomUUID } from 'node:crypto'
import { orderAfter } from '../acts/order-after.ts'
import type { Seen } from '../application/application.ts'
import type { Case } from '../case.ts'
import { reactionInWords, reactionTo } from '../evidence/reaction.ts'
import { Finding } from '../finding.ts'
import type { Stage } from '../stage/stage.ts'
import { foundByBelief } from './found-before.ts'

/** Another system on the same account, a test database that was wiped: orders come that nobody knows. */
export const unknownOrder: Case = {
  id: 'K24',
  level: 'MUST',
  title: 'A webhook about an order that you do not know',
  happens:
    'Webhooks say COMPLETED and FAILED of orders that your application has never made; then it makes one of its own.',
  right: 'Answer within the time limit, best with 2xx, make nothing up, and go on with your own orders.',
  why: 'A handler that falls over what it cannot find takes the orders of everybody else with it.',
  explainedBy: foundByBelief,
  async run(stage) {
    const own = await stage.order()
    await stage.advance('10s')
    await own.isPaidBefore()
    for (const orderStatus of ['COMPLETED', 'FAILED']) await tellOfStranger(stage, own.requestId, orderStatus)
    const next = await orderAfter(stage, 'the webhook about an order that it does not know')
    await stage.advance('10s')
    await next.becomesPaid()
  },
}

async function tellOfStranger(stage: Stage, like: string, orderStatus: string): Promise<void> {
  const requestId = strangerLike(like, stage)
  const known = (await asked(stage, requestId))?.state
  const event = { requestId, orderId: randomUUID(), orderType: 'CHECKOUT', orderStatus }
  const delivery = await stage.send({ event })
  const reaction = reactionTo(delivery)
  if (reaction === 'no-answer' || reaction === 'crashed') {
    const did = `It ${reactionInWords(delivery)} when a webhook said ${orderStatus} of an order that it does not know.`
    throw new Finding({ defect: reaction, did, requestId, deliveryId: delivery.id })
  }
  if (reaction === 'server-error')
    stage.remark(
      `It ${reactionInWords(delivery)} to a webhook about an order that it does not know: the service will send that again ten times. 2xx ends it.`,
    )
  if (known !== 'COMPLETED') await nothingInvented(stage, requestId)
}

/** A UUID where the application makes such: a database may take nothing else. */
const strangerLike = (requestId: string, stage: Stage): string =>
  /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(requestId) ? randomUUID() : `stranger-${stage.unique()}`

async function nothingInvented(stage: Stage, requestId: string): Promise<void> {
  await stage.until(async () => {
    const seen = await asked(stage, requestId)
    if (seen === null) return true
    if (seen.state === 'COMPLETED' || (seen.effects ?? 0) > 0)
      throw new Finding({
        defect: 'believed',
        did: `It takes an order for paid that it has never made, because a webhook said so: its own word is ${JSON.stringify(seen.word)}, and it has released ${seen.effects ?? 'something'}.`,
        requestId,
      })
    return false
  }, stage.app.settleMs)
}

/** What the application says of an order that it cannot know; null where it has no words for that. */
async function asked({ app }: Stage, requestId: string): Promise<Seen | null> {
  try {
    // Nobody knows by what name the application would have made it up.
    return app.probesById ? null : ((await app.probe?.(requestId, null)) ?? null)
  } catch {
    return null
  }
}

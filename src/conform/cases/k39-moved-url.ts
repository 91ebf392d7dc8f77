import type { Delivery } from '../../index.ts'
import type { Case } from '../case.ts'
import { reactionInWords, reactionTo } from '../evidence/reaction.ts'
import { Finding } from '../finding.ts'
import type { Stage } from '../stage/stage.ts'
import type { StagedOrder } from '../stage/staged-order.ts'
import { foundInNormalLife } from './found-before.ts'

export const movedUrl: Case = {
  id: 'K39',
  level: 'SHOULD',
  title: 'The webhook URL changes between two webhooks',
  happens:
    'CREATED is sent to your webhook URL. Then the URL is changed to the same one with `?moved=1`, and COMPLETED is sent there.',
  right: 'Answer 2xx under both URLs, and fulfil once.',
  why: 'Events of an order that is open while the URL changes go to both URLs.',
  wholeClient: true,
  explainedBy: foundInNormalLife,
  async run(stage) {
    const order = await stage.order({ follows: 'url-changed-midflow' })
    await stage.settle()
    await order.isUnpaidBefore()
    await stage.advance('10s')
    await bothAccepted(order, stage)
    await order.becomesPaid()
  },
}

/** Checks that both webhooks were accepted, if the application accepts webhooks of the order at all. */
async function bothAccepted(order: StagedOrder, { app }: Stage): Promise<void> {
  const deliveries = await order.deliveries()
  const [before] = deliveries
  const after = deliveries.find(({ orderStatus }) => orderStatus === 'COMPLETED')
  if (app.start === null || before === undefined || after === undefined) return
  const reaction = reactionTo(after)
  if (reaction === 'accepted' || reactionTo(before) !== 'accepted' || !moved(after)) return
  throw new Finding({
    defect: reaction,
    did: `It ${reactionInWords(before)} to the webhook under the old URL, and ${reactionInWords(after)} under the new one, ${after.url}.`,
    deliveryId: after.id,
  })
}

const moved = ({ url }: Delivery): boolean => url?.includes('moved=1') === true

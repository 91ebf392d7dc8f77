import type { Delivery } from '../../index.ts'
import { type Attempt, inWords } from '../evidence/webhook-answer.ts'
import { Finding, NotSeen } from '../finding.ts'
import type { StagedOrder } from '../stage/staged-order.ts'

/** What says that it is busy now, and wants to be told again. */
const laterStatuses = [409, 423, 425, 429, 503]

/** Becomes paid once. What goes by the application's own clock, like a lock that expires, may take longer than a run can
 *  wait: as long as it asks for the webhook to come again, nothing is lost.
 *  @throws Finding, NotSeen */
export async function becomesPaidUnlessAskedToWait(order: StagedOrder): Promise<void> {
  try {
    await order.becomesPaidOnce()
  } catch (error) {
    if (!(error instanceof Finding) || error.words.defect === 'doubled') throw error
    const deliveries = await order.deliveries('COMPLETED')
    const [busy] = askingToWait(deliveries)
    if (busy === undefined) throw error
    throw new NotSeen(
      `it ${inWords(busy)} to the repeated webhook, which asks the service to send it again later`,
    )
  }
}

/** The last answers to webhooks that were not taken, as far as they say that the webhook is to come again. */
export function askingToWait(deliveries: readonly Delivery[]): Attempt[] {
  return deliveries
    .filter(({ status }) => status !== 'delivered')
    .flatMap(({ attempts }) => attempts.slice(-1))
    .filter(({ status }) => status !== null && laterStatuses.includes(status))
}

import type { Delivery } from '../../index.ts'
import type { Case } from '../case.ts'
import { type Attempt, defectOf, inWords, isTaken } from '../evidence/webhook-answer.ts'
import { Finding } from '../finding.ts'
import type { Defect } from '../report.ts'
import { happy, type Script } from '../stage/scripts.ts'
import type { Stage } from '../stage/stage.ts'
import type { StagedOrder } from '../stage/staged-order.ts'

const orderCount = 10
const quickMs = 1_000
const latestMs = 5_000
/** At most one slow answer in twenty: 95 % must be fast. */
const slowAtMost = 1

/** An order with one webhook retry only, so that an application that never answers does not delay the run. */
const watched: Script = {
  settings: { 'webhook.timeout': '5s', 'webhook.retry.max': 1 },
  timeline: happy.timeline,
}

export const answers: Case = {
  id: 'K03',
  level: 'SHOULD',
  title: 'How webhooks are answered',
  happens: 'Ten orders are paid, and the answers to their twenty webhooks are measured.',
  right: 'Answer with 2xx and no redirect, 95 of 100 within a second and all within 5 seconds.',
  why: 'The service counts a late or failed answer as not delivered, and sends the webhook again until it gives up.',
  async run(stage) {
    for (let n = 0; n < orderCount; n++) {
      await stage.order({ follows: watched })
      // Webhooks one by one: simultaneous ones would measure something else.
      await stage.advance('1s')
      await judgeAll(stage)
    }
    await stage.advance('10s')
    await judgeAll(stage)
  },
}

interface Post {
  readonly order: StagedOrder
  readonly delivery: Delivery
  readonly attempt: Attempt
}

/** Checks all answers to webhooks so far. Throws as soon as later answers cannot change the result. */
async function judgeAll(stage: Stage): Promise<void> {
  const posts = (await Promise.all(stage.orders.map(postsOf))).flat()
  for (const post of posts) {
    const { delivery, attempt } = post
    if (isTooLate(attempt))
      throw found(
        post,
        'no-answer',
        `It did not answer the webhook of ${delivery.orderStatus} within 5 seconds`,
      )
    if (defectOf(attempt) === 'redirected' && !isTaken(attempt)) throw untaken(post)
    if (isTaken(attempt) || mayBeTakenLater(delivery)) continue
    if (post.order.ofApplication) throw untaken(post)
    stage.cannotSee(
      `how it answers webhooks about its own orders, since the configuration has no \`start\`: it ${inWords(attempt)} to one about an unknown order`,
    )
  }
  judgePace(posts)
}

async function postsOf(order: StagedOrder): Promise<Post[]> {
  const deliveries = await order.deliveries()
  return deliveries.flatMap((delivery) => delivery.attempts.map((attempt) => ({ order, delivery, attempt })))
}

const isTooLate = ({ outcome, ms }: Attempt): boolean => outcome === 'timeout' || (ms ?? 0) > latestMs

/** Whether a webhook may be accepted on a retry: CREATED may arrive before the application has stored its order. */
const mayBeTakenLater = ({ orderStatus, status }: Delivery): boolean =>
  orderStatus === 'CREATED' && status !== 'dead'

function judgePace(posts: readonly Post[]): void {
  const slow = posts
    .filter(({ attempt }) => (attempt.ms ?? 0) > quickMs)
    .toSorted((a, b) => (b.attempt.ms ?? 0) - (a.attempt.ms ?? 0))
  const [slowest] = slow
  if (slowest === undefined || slow.length <= slowAtMost) return
  const did = `It took longer than a second to answer ${slow.length} of ${posts.length} webhooks; the slowest answer took ${slowest.attempt.ms} ms`
  throw found(slowest, 'slow', did)
}

const untaken = (post: Post): Finding =>
  found(
    post,
    defectOf(post.attempt),
    `It ${inWords(post.attempt)} to the webhook of ${post.delivery.orderStatus}`,
  )

const found = ({ order, delivery }: Post, defect: Defect, did: string): Finding =>
  new Finding({ defect, did, requestId: order.requestId, deliveryId: delivery.id })

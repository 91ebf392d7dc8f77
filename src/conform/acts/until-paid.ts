import type { Delivery } from '../../index.ts'
import { ProbeFailed, type Seen } from '../application/application.ts'
import { type Attempt, inWords } from '../evidence/webhook-answer.ts'
import { Finding, NotSeen } from '../finding.ts'
import type { Stage } from '../stage/stage.ts'
import type { StagedOrder } from '../stage/staged-order.ts'
import { eachOf } from '../stage/waiting.ts'

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

/** Waits until the application has released once for each of many paid orders, for as long as it gets on with it, and
 *  watches that it does so once only. Where nobody counts effects, the status has to do.
 *  @throws Finding */
export async function allBecomePaid(stage: Stage, orders: readonly StagedOrder[]): Promise<void> {
  if (!orders.every(({ canBeProbed }) => canBeProbed))
    return stage.cannotSee('which status your application gives the orders: set `probe`')
  for (let left = orders; left.length > 0; ) {
    const before = left
    const moved = await stage.until(async () => {
      left = await unpaid(before)
      return left.length < before.length
    })
    if (!moved) throw await lost(left, orders.length)
  }
  await stage.pause(stage.app.settleMs)
  const gone = await unpaid(orders)
  if (gone.length > 0) throw await lost(gone, orders.length)
  const [first] = orders
  if (first !== undefined && (await asked(first))?.effects === null)
    stage.cannotSee('how often your application fulfilled the order: set `probe.effects`')
}

/** Those that it has not released for yet. @throws Finding if it has released more than once */
async function unpaid(orders: readonly StagedOrder[]): Promise<StagedOrder[]> {
  const looks = await eachOf(orders, async (order) => ({ order, seen: await asked(order) }))
  const doubled = looks.filter(({ seen }) => (seen?.effects ?? 1) > 1)
  const [first] = doubled
  if (first !== undefined)
    throw new Finding({
      defect: 'doubled',
      did: `It fulfilled an order ${first.seen?.effects} times instead of once, and ${doubled.length} of ${orders.length} orders more than once`,
      requestId: first.order.requestId,
    })
  return looks
    .filter(({ seen }) => seen?.state !== 'COMPLETED' || (seen.effects ?? 1) < 1)
    .map(({ order }) => order)
}

/** Who is busy may fail to answer for once. */
async function asked(order: StagedOrder): Promise<Seen | null> {
  try {
    return await order.probe()
  } catch (error) {
    if (error instanceof ProbeFailed) return null
    throw error
  }
}

async function lost(orders: readonly StagedOrder[], of: number): Promise<Finding> {
  const [first] = orders
  const seen = first === undefined ? null : await asked(first)
  const word =
    seen?.word == null
      ? 'the application does not know it'
      : `the application says ${JSON.stringify(seen.word)}`
  return new Finding({
    defect: 'lost',
    did: `It has not fulfilled ${orders.length} of ${of} paid orders. This report shows the first of them: ${word}`,
    requestId: first?.requestId,
  })
}

/** Lets the application wait for its lookups of an order, so that what happens meanwhile finds it in the middle of its
 *  work. @param delay how long each is held, and @param lasting until when, both on the client's clock */
export async function slowLookups(
  stage: Stage,
  { requestId }: StagedOrder,
  { delay, lasting }: { delay: string; lasting: string },
): Promise<void> {
  await stage.plan({
    on: ['orders', 'crypto-orders'],
    where: { requestId },
    effect: { delay },
    for: lasting,
  })
}

/** Does the same with several things at once. What the first of them throws is thrown once all have ended. */
export async function together<Thing>(
  things: readonly Thing[],
  act: (thing: Thing) => Promise<void>,
): Promise<void> {
  const ends = await Promise.allSettled(things.map(act))
  for (const end of ends) if (end.status === 'rejected') throw end.reason
}

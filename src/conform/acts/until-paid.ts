import type { Delivery } from '../../index.ts'
import { ProbeFailed, type Seen } from '../application/application.ts'
import { type Attempt, inWords } from '../evidence/webhook-answer.ts'
import { Finding, NotSeen } from '../finding.ts'
import type { Stage } from '../stage/stage.ts'
import type { StagedOrder } from '../stage/staged-order.ts'
import { eachOf } from '../stage/waiting.ts'

/** The HTTP statuses that ask for a later retry of a webhook. */
const laterStatuses = [409, 423, 425, 429, 503]

/** Waits until the order is fulfilled once. An application with a clock of its own, for example for a lock, may take
 *  longer than a run can wait. As long as it asks for retries, nothing is lost.
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

/** The last answers to failed webhooks, if they ask for a later retry. */
export function askingToWait(deliveries: readonly Delivery[]): Attempt[] {
  return deliveries
    .filter(({ status }) => status !== 'delivered')
    .flatMap(({ attempts }) => attempts.slice(-1))
    .filter(({ status }) => status !== null && laterStatuses.includes(status))
}

/** Waits until all orders are fulfilled, as long as their number grows, and checks that none is fulfilled twice.
 *  Without a count of fulfilments the status is used.
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

/** The orders that are not fulfilled yet.
 *  @throws Finding if one was fulfilled more than once */
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

/** Probes the order; a busy application may fail to answer once. */
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

/** Delays the application's lookups of an order, so that other events happen while it works.
 *  @param delay of each lookup, and
 *  @param lasting how long the fault lasts, both on the client's clock
 *  @returns the id of the fault */
export async function slowLookups(
  stage: Stage,
  { requestId }: StagedOrder,
  { delay, lasting }: { delay: string; lasting: string },
): Promise<string> {
  return stage.plan({
    on: ['orders', 'crypto-orders'],
    where: { requestId },
    effect: { delay },
    for: lasting,
  })
}

/** Runs an act for several things in parallel, and throws the first error once all have ended. */
export async function together<Thing>(
  things: readonly Thing[],
  act: (thing: Thing) => Promise<void>,
): Promise<void> {
  const ends = await Promise.allSettled(things.map(act))
  for (const end of ends) if (end.status === 'rejected') throw end.reason
}

/** Waits until all orders are paid. Retries are sent for all orders before the check, because they share one clock. */
export async function allEndPaid(stage: Stage, orders: readonly StagedOrder[]): Promise<void> {
  const allPaid = async () => (await Promise.all(orders.map((order) => order.isPaid()))).every(Boolean)
  if (!(await stage.until(allPaid, stage.app.settleMs))) {
    await stage.advanceAtLeast('20m')
    await stage.reconcile()
    await stage.until(allPaid, stage.longestMs)
  }
  const ended = await Promise.allSettled(orders.map((order) => order.staysPaid()))
  const failed = ended.find((each) => each.status === 'rejected')
  if (failed !== undefined) throw failed.reason
}

/** Plays orders in waves, so that the webhooks of a wave all get a connection of their own.
 *  @param play plays a wave
 *  @returns all orders, or those so far once the application has created too few */
export async function inWaves(
  stage: Stage,
  wanted: { readonly count: number; readonly waveSize: number; play(stage: Stage): Promise<StagedOrder[]> },
): Promise<StagedOrder[]> {
  const orders: StagedOrder[] = []
  while (orders.length < wanted.count) {
    const some = await wanted.play(stage)
    orders.push(...some)
    if (some.length === wanted.waveSize) continue
    stage.cannotSee(`how it handles ${wanted.count} orders: it created only ${orders.length} of them`)
    break
  }
  return orders
}

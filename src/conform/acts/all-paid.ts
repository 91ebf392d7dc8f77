import { ProbeFailed, type Seen } from '../application/application.ts'
import { Finding } from '../finding.ts'
import { eachOf } from '../stage/each-of.ts'
import type { Stage } from '../stage/stage.ts'
import type { StagedOrder } from '../stage/staged-order.ts'

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

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
    return stage.cannotSee('what your application holds the orders for: give `probe`')
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
    stage.cannotSee('how often something was released: give `probe.effects`')
}

/** Those that it has not released for yet. @throws Finding if it has released more than once */
async function unpaid(orders: readonly StagedOrder[]): Promise<StagedOrder[]> {
  const looks = await eachOf(orders, async (order) => ({ order, seen: await asked(order) }))
  const doubled = looks.filter(({ seen }) => (seen?.effects ?? 1) > 1)
  const [first] = doubled
  if (first !== undefined)
    throw new Finding({
      defect: 'doubled',
      did: `It released ${first.seen?.effects} where 1 was to be released, and more than once for ${doubled.length} of ${orders.length} orders`,
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
  const word = seen?.word == null ? 'it knows nothing of it' : `it says ${JSON.stringify(seen.word)} of it`
  return new Finding({
    defect: 'lost',
    did: `It has released nothing for ${orders.length} of ${of} orders that are paid. The first of them is told of here: ${word}`,
    requestId: first?.requestId,
  })
}

import { same } from './difference.ts'
import { expectedLines } from './expected.ts'
import { compareLookups } from './lookups.ts'
import { observedLines } from './observed.ts'
import { clientIds, type World } from './world.ts'

/** Compares what can be seen of both clients.
 *  @param turn which command of the run has been carried out, from 1
 *  @throws Difference */
export async function compare(world: World, turn: number): Promise<void> {
  const seen = await observedLines(world)
  for (const clientId of clientIds) {
    const side = world.sides[clientId]
    side.model.settle()
    same(seen[clientId], expectedLines(side.model))
    // The newest order and the others in turn: all of them each time would take most of a run.
    const { orders } = side.model
    const order = turn % 2 === 0 ? orders.at(-1) : orders[((turn - 1) / 2) % orders.length]
    if (order !== undefined) await compareLookups(side, order.requestId)
  }
  same(world.bench.endpoints.overlaps, [])
  world.bench.checkBugs()
}

/** Compares what `/v1` shows of every order. @throws Difference */
export async function compareAllLookups({ sides }: World): Promise<void> {
  for (const clientId of clientIds) {
    const requestIds = new Set(sides[clientId].model.orders.map(({ requestId }) => requestId))
    await Promise.all([...requestIds].map((requestId) => compareLookups(sides[clientId], requestId)))
  }
}

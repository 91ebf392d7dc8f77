import { remove } from './commands/fault.ts'
import { same } from './difference.ts'
import { expectedLines } from './expected.ts'
import { compareLookups } from './lookups.ts'
import { observedLines } from './observed.ts'
import { clientIds, clockOf, type World } from './world.ts'

/** Compares what can be seen of both clients.
 *  @param turn which command of the run has been carried out, from 1
 *  @throws Difference */
export async function compare(world: World, turn: number): Promise<void> {
  const seen = await observedLines(world)
  for (const clientId of clientIds) world.sides[clientId].model.settle()
  await compareFaults(world)
  for (const clientId of clientIds) {
    const side = world.sides[clientId]
    same(seen[clientId], expectedLines(side.model))
    // The newest order and the others in turn: all of them each time would take most of a run.
    const { orders } = side.model
    const order = turn % 2 === 0 ? orders.at(-1) : orders[((turn - 1) / 2) % orders.length]
    if (order !== undefined) await compareLookups(side, order.requestId, world.faults)
  }
  same(world.bench.endpoints.overlaps, [])
  world.bench.checkBugs()
}

async function compareFaults({ bench, faults, sides }: World): Promise<void> {
  const { items } = await bench.control('/faults?limit=1000')
  const seen = items.map(({ clientId, on, when, calls, hits, over }) => {
    const end = clientId === null ? 'or not' : over
    return `fault of ${clientId} ${on} ${when}: ${calls} calls, ${hits} hits, over ${end}`
  })
  same(seen, faults.lines(clockOf(sides)))
}

/** Compares what `/v1` shows of every order. @throws Difference */
export async function compareAllLookups(world: World): Promise<void> {
  // Their order is unspecified.
  await remove(world)
  const { sides, faults } = world
  for (const clientId of clientIds) {
    const requestIds = new Set(sides[clientId].model.orders.map(({ requestId }) => requestId))
    await Promise.all([...requestIds].map((requestId) => compareLookups(sides[clientId], requestId, faults)))
  }
}

import { expectedLines, expectedLookup } from './expected.ts'
import { observedLines, observedLookup } from './observed.ts'
import { clientIds, type Side, type World } from './world.ts'

/** The emulator shows something else than the model expects. */
class Difference extends Error {
  constructor(seen: readonly string[], expected: readonly string[]) {
    const missing = expected.filter((line) => !seen.includes(line)).map((line) => `- ${line}`)
    const unexpected = seen.filter((line) => !expected.includes(line)).map((line) => `+ ${line}`)
    const lines = [...missing, ...unexpected]
    super((lines.length > 0 ? lines : ['the same, in this order:', ...seen]).join('\n'))
    this.name = 'Difference'
  }
}

/** @throws Difference */
export function same(seen: readonly string[], expected: readonly string[]): void {
  if (seen.join('\n') !== expected.join('\n')) throw new Difference(seen, expected)
}

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
    if (order !== undefined) await compareLookup(side, order.requestId)
  }
  same(world.bench.endpoints.overlaps, [])
  world.bench.checkBugs()
}

/** Compares what `/v1` shows of every order. @throws Difference */
export async function compareAllLookups({ sides }: World): Promise<void> {
  for (const clientId of clientIds) {
    const requestIds = new Set(sides[clientId].model.orders.map(({ requestId }) => requestId))
    await Promise.all([...requestIds].map((requestId) => compareLookup(sides[clientId], requestId)))
  }
}

async function compareLookup(side: Side, requestId: string): Promise<void> {
  same(await observedLookup(side, requestId), expectedLookup(side.model, requestId))
}

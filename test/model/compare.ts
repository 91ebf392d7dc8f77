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

/** Compares everything that can be seen of both clients. @throws Difference */
export async function compare(world: World, turn: number): Promise<void> {
  const seen = await observedLines(world)
  for (const clientId of clientIds) {
    const side = world.sides[clientId]
    side.model.settle()
    same(seen[clientId], expectedLines(side.model))
    await compareLookup(side, turn)
  }
  same(world.bench.endpoints.overlaps, [])
  world.bench.checkBugs()
}

/** One lookup at a time, of the newest order and of the others in turn: all of them would take most of a run. */
async function compareLookup(side: Side, turn: number): Promise<void> {
  const { orders } = side.model
  const order = turn % 2 === 0 ? orders.at(-1) : orders[((turn - 1) / 2) % orders.length]
  if (order === undefined) return
  same([await observedLookup(side, order.requestId)], [expectedLookup(side.model, order)])
}

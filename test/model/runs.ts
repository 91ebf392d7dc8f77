import fc from 'fast-check'
import { storeKind } from '../support/store.ts'
import type { Command } from './command.ts'
import { anyCommand } from './commands.ts'
import { compare, compareAllLookups } from './compare.ts'
import { clientIds, newWorld, type World } from './world.ts'

/** Wall-clock time for shortening a failing run, because a hanging run costs seconds. */
const patienceMs = 60_000

/** Which runs there are. */
export interface Plan {
  readonly seed: number
  readonly runs: number
  readonly commands: number
}

/** Makes runs of a plan by their numbers.
 *  @param kind the store: see `storeKind`
 *  @param played called with each run without a difference
 *  @throws {Error} with the shortest form of a run in which emulator and model differ */
export async function makeRuns(
  { seed, runs, commands }: Plan,
  numbers: readonly number[],
  played: (run: Played) => void,
  kind = storeKind,
): Promise<void> {
  const arbitrary = fc.array(anyCommand, { minLength: commands, maxLength: commands })
  const drawn = fc.sample(arbitrary, { seed, numRuns: runs })
  for (const number of numbers) {
    const run = drawn[number] ?? []
    const end = await play(run, kind)
    if ('error' in end) throw new Error(await told(end, { seed, number, kind }))
    played(end)
  }
}

/** The content of a run without a difference. */
export interface Played {
  readonly commands: readonly string[]
  readonly restarts: number
  readonly orders: number
  /** Later charges of subscriptions. */
  readonly charges: number
  readonly refunds: number
  readonly webhooks: number
  readonly dead: number
  readonly unanswered: number
}

interface Failure {
  /** Up to the command after which something differed. */
  readonly run: readonly Command[]
  readonly error: unknown
}

async function play(run: readonly Command[], kind: string): Promise<Played | Failure> {
  const world = await newWorld(kind)
  let done = 0
  try {
    for (const command of run) {
      done += 1
      await command.act(world)
      await compare(world, done)
    }
    await compareAllLookups(world)
    return { commands: run.map(({ name }) => name), ...eventsOf(world) }
  } catch (error) {
    return { run: run.slice(0, done), error }
  } finally {
    await world.bench.close()
  }
}

function eventsOf({ bench, sides }: World): Omit<Played, 'commands'> {
  const orders = clientIds.flatMap((id) => sides[id].model.orders)
  const deliveries = orders.flatMap((order) => order.deliveries)
  const attempts = deliveries.flatMap((delivery) => delivery.attempts)
  return {
    restarts: bench.restarts,
    orders: orders.length,
    charges: orders.filter(({ charge }) => charge > 1).length,
    refunds: orders.flatMap(({ refunds }) => refunds).length,
    webhooks: attempts.length,
    dead: deliveries.filter(({ status }) => status === 'dead').length,
    unanswered: attempts.filter(({ outcome }) => outcome === 'unknown').length,
  }
}

/** Leaves out what is not needed for something to differ: first halves, then quarters, at last single commands. */
async function shortened(failure: Failure, kind: string): Promise<Failure> {
  let best = failure
  const begun = performance.now()
  const late = () => performance.now() - begun > patienceMs
  for (let size = Math.ceil(best.run.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let from = best.run.length - 1 - size; from > -size && !late(); from -= size) {
      const shorter = best.run.filter((_, index) => index < from || index >= from + size)
      const end = await play(shorter, kind)
      if ('error' in end) best = end
    }
  }
  return best
}

async function told(
  failure: Failure,
  { seed, number, kind }: { seed: number; number: number; kind: string },
): Promise<string> {
  const { run, error } = await shortened(failure, kind)
  const bug = error instanceof Error && error.name !== 'Difference'
  return [
    `Emulator (+) and model (-) differ: seed ${seed}, run ${number}, after the last of`,
    ...run.map(({ words }, index) => `  ${index + 1}. ${words}`),
    bug ? `${error.stack}` : `${error instanceof Error ? error.message : error}`,
    `Repeat it with MODEL_SEED=${seed} MODEL_PATH=${number} npm run test:hard -- model`,
  ].join('\n')
}

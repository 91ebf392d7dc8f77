import { EmulatorError } from '../domain/errors.ts'
import type { EpochMs } from '../domain/time.ts'
import type { World } from './world.ts'

/** A move of clocks. */
export interface Walk {
  readonly clientIds: readonly string[]
  /** Where a clock that reads `now` is to go. */
  readonly target: (now: EpochMs) => EpochMs
  /** Wall milliseconds after which the walk gives up; time then stays where it got to. */
  readonly timeoutMs: number
  /** Called when everything that was due before has ended and the walk proper begins. */
  readonly onBegin: (from: ReadonlyMap<string, EpochMs>) => void
}

export interface WalkEnd {
  readonly now: ReadonlyMap<string, EpochMs>
  readonly timedOut: boolean
}

interface Leg {
  readonly world: World
  readonly from: EpochMs
  readonly target: EpochMs
}

class TimedOut extends Error {}

/** Walks clocks forward. First it waits for what is due already, then it goes to each due moment in turn and
 *  stays there until all that is due has ended, deliveries included. Several clients move by the same amount:
 *  their moments are merged by the time elapsed since the walk began.
 *  @throws clock_in_past if a target lies before its clock; then no clock has moved */
export async function walk(worlds: readonly World[], request: Walk): Promise<WalkEnd> {
  const { promise: giveUp, reject } = Promise.withResolvers<never>()
  giveUp.catch(() => undefined)
  const timer = setTimeout(() => reject(new TimedOut()), request.timeoutMs)
  const releases = await Promise.all(sorted(worlds).map((world) => world.takeTurn()))
  try {
    for (const world of worlds) world.clock.pin(world.clock.now())
    refusePast(legsOf(worlds, request))
    await Promise.all(worlds.map((world) => world.settle(giveUp)))
    const legs = legsOf(worlds, request)
    request.onBegin(new Map(legs.map(({ world, from }) => [world.clientId, from])))
    await goThrough(legs, giveUp)
    return { now: readings(worlds), timedOut: false }
  } catch (error) {
    if (error instanceof TimedOut) return { now: readings(worlds), timedOut: true }
    throw error
  } finally {
    clearTimeout(timer)
    for (const world of worlds) world.clock.unpin()
    for (const release of releases) release()
  }
}

async function goThrough(legs: readonly Leg[], giveUp: Promise<never>): Promise<void> {
  for (;;) {
    const moments = await Promise.all(legs.map(nextMoment))
    const elapsed = Math.min(...moments)
    if (elapsed === Infinity) break
    const there = legs.filter(({ from, target }) => from + elapsed <= target)
    for (const { world, from } of there) world.clock.pin(Math.max(world.clock.now(), from + elapsed))
    const due = legs.filter((_, index) => (moments[index] ?? Infinity) <= elapsed)
    await Promise.all(due.map(({ world }) => world.settle(giveUp)))
  }
  for (const { world, target } of legs) world.clock.pin(Math.max(world.clock.now(), target))
}

/** Time from the walk's begin to the leg's next due moment; Infinity if none lies before its target. */
async function nextMoment({ world, from, target }: Leg): Promise<number> {
  const due = await world.nextDue()
  return due === null || due > target ? Infinity : Math.max(due - from, world.clock.now() - from)
}

function legsOf(worlds: readonly World[], { target }: Walk): Leg[] {
  return worlds.map((world) => {
    const from = world.clock.now()
    return { world, from, target: target(from) }
  })
}

function refusePast(legs: readonly Leg[]): void {
  const past = legs.find(({ from, target }) => target < from)
  if (past === undefined) return
  throw new EmulatorError('clock_in_past', {
    clientId: past.world.clientId,
    target: new Date(past.target).toISOString(),
    now: new Date(past.from).toISOString(),
  })
}

const readings = (worlds: readonly World[]) =>
  new Map(worlds.map(({ clientId, clock }) => [clientId, clock.now()] as const))

// One order for all, so that two walks over several clients never wait for each other.
const sorted = (worlds: readonly World[]) => worlds.toSorted((a, b) => (a.clientId < b.clientId ? -1 : 1))

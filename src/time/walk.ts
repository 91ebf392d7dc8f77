import { EmulatorError } from '../domain/text/errors.ts'
import type { EpochMs } from '../domain/text/time.ts'
import type { Clock } from './clock.ts'
import type { World } from './world.ts'

/** The request of a call that moves clocks. */
export interface Walk {
  readonly clientIds: readonly string[]
  /** Returns the target of a clock that reads `now`. */
  readonly target: (now: EpochMs) => EpochMs
  /** The maximum number of due times to pass. The clocks then stay at the last one, and do not go on to the target. */
  readonly moments?: number | undefined
  /** Wall-clock milliseconds after which the walk stops; clocks stay where they are then. */
  readonly timeoutMs: number
  /** Called with each clock, still held, at the target. */
  readonly atEnd?: (clock: Clock) => void
  /** Called when earlier work has ended and the walk proper starts. */
  readonly onBegin: (from: ReadonlyMap<string, EpochMs>) => void
  /** Called at the end of the walk, however it ends, before the clocks are released. */
  readonly onEnd?: () => void
}

/** Where the clocks are after a walk. */
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

/** Walks clocks forward. It waits for work that is due already, then goes to each due time and stays there until all
 *  due work has ended, deliveries included. Several clients move by the same amount: their due times are merged by
 *  the time since the start of the walk. A client that is deleted leaves the walk.
 *  @param keep stores the clocks, so that a crash within the walk does not turn them back
 *  @throws clock_in_past if a target lies before its clock; then no clock has moved */
export async function walk(
  worlds: readonly World[],
  request: Walk,
  keep: (worlds: readonly World[]) => Promise<void>,
): Promise<WalkEnd> {
  const { promise: aborted, reject } = Promise.withResolvers<never>()
  aborted.catch(() => undefined)
  const timer = setTimeout(() => reject(new TimedOut()), request.timeoutMs)
  const turns = worlds.map((world) => world.takeTurn())
  try {
    await Promise.race([Promise.all(turns), aborted])
    try {
      for (const world of worlds) world.beginWalk()
      refusePast(legsOf(worlds, request))
      await settleAll(worlds, aborted, worlds.length === 1)
      const legs = legsOf(worlds, request)
      request.onBegin(new Map(legs.map(({ world, from }) => [world.clientId, from])))
      await goThrough(legs, aborted, keep, request.moments)
      // Before the clock runs again: it is to stand, or go on, exactly where the walk ends.
      for (const world of worlds) request.atEnd?.(world.clock)
    } finally {
      request.onEnd?.()
      for (const world of worlds) world.clock.unpin()
    }
    return { now: readings(worlds), timedOut: false }
  } catch (error) {
    if (error instanceof TimedOut) return { now: readings(worlds), timedOut: true }
    throw error
  } finally {
    clearTimeout(timer)
    for (const turn of turns) turn.then((release) => release())
  }
}

async function goThrough(
  legs: readonly Leg[],
  aborted: Promise<never>,
  keep: (worlds: readonly World[]) => Promise<void>,
  most = Infinity,
): Promise<void> {
  for (let gone = 0; gone < most; gone++) {
    const moments = await Promise.all(legs.map((leg) => nextMoment(leg, legs.length === 1)))
    const elapsed = Math.min(...moments)
    if (elapsed === Infinity) break
    const there = legs.filter(({ from, target }) => from + elapsed <= target)
    for (const { world, from } of there) world.clock.pin(Math.max(world.clock.now(), from + elapsed))
    const due = legs.filter((_, index) => (moments[index] ?? Infinity) <= elapsed)
    // Stored before the changes of this time, so that no stored clock is behind them.
    await Promise.all([keep(worldsOf(there)), settleAll(worldsOf(due), aborted, legs.length === 1)])
  }
  if (most < Infinity) return
  for (const { world, target } of legs) world.clock.pin(Math.max(world.clock.now(), target))
}

/** Waits until the due work of several clients has ended. A client that is removed during the wait does not stop the
 *  others. */
async function settleAll(worlds: readonly World[], aborted: Promise<never>, alone: boolean): Promise<void> {
  await Promise.all(worlds.map((world) => world.settle(aborted).catch(unlessGone(undefined, alone))))
}

/** The time from the start of the walk to the leg's next due time; Infinity if none lies before its target. */
async function nextMoment({ world, from, target }: Leg, alone: boolean): Promise<number> {
  // Work that is due now has been settled, or came after that.
  const due = await world.nextDue(world.clock.now()).catch(unlessGone(null, alone))
  return due === null || due > target ? Infinity : due - from
}

/** Ends one client's part of a walk over several clients if the client is removed. */
const unlessGone =
  <T>(instead: T, alone: boolean) =>
  (error: unknown): T => {
    const deleted = error instanceof EmulatorError && error.code === 'client_unknown'
    if (!deleted || alone) throw error
    return instead
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

const worldsOf = (legs: readonly Leg[]) => legs.map(({ world }) => world)

const readings = (worlds: readonly World[]) =>
  new Map(worlds.map(({ clientId, clock }) => [clientId, clock.now()] as const))

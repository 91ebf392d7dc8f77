import { expect } from 'vitest'
import type { Measured } from './figures.ts'
import { type Judge, judged, type Verdict } from './judge.ts'
import { startProgram } from './program.ts'
import { drained, type World, worldOf, wrongDates } from './whole.ts'

const patienceMs = 60_000

/** The state after the last kill. */
export interface Aftermath extends Verdict, World {
  /** Acknowledged orders that do not exist. */
  readonly forgotten: readonly string[]
  /** `webhook-id`s that arrived more often than they are on record. */
  readonly unrecorded: readonly string[]
  readonly readyMs: number
  readonly drainMs: number
}

/** A last life without a kill: drains, then asks the receiver's log and the emulator about every order there is, also
 *  those that were never acknowledged, and every charge. */
export async function aftermath(
  args: readonly string[],
  judge: Judge,
  acknowledged: readonly string[],
): Promise<Aftermath> {
  const { child, exited, url, readyMs } = await startProgram(args)
  const begun = performance.now()
  const [dates] = await Promise.all([wrongDates(url), drained(url, patienceMs)])
  const drainMs = performance.now() - begun
  const world = await worldOf(url)
  child.kill('SIGTERM')
  expect(await exited).toBe(0)
  const arrived = Map.groupBy(judge.arrivals, ({ id }) => id)
  const unrecorded = [...arrived].filter(([id, those]) => those.length > (world.attemptsOf.get(id) ?? 0))
  return {
    ...world,
    half: [...dates, ...world.half],
    ...judged([...world.orderIds], judge, 'orderId'),
    forgotten: acknowledged.filter((id) => !world.orders.has(id)),
    unrecorded: unrecorded.map(([id]) => id),
    readyMs,
    drainMs,
  }
}

/** The figures of an aftermath, those that have to be zero first. */
export function figuresOf(after: Aftermath): Measured['figures'] {
  return {
    orders: after.orders.size,
    records: after.orderIds.size,
    'orders lost': after.forgotten.length,
    'events lost': after.lost.length,
    'half-written': after.half.length,
    inversions: after.inverted.length,
    'not on record': after.unrecorded.length,
    'other bytes': after.unequal.length,
    repeats: after.repeatedAfterAccepted,
    ...after.outcomes,
    ...Object.fromEntries(Object.entries(after.attempts).map(([name, count]) => [`attempts ${name}`, count])),
  }
}

/** The promises that hold at any point of a kill. */
export function expectNothingLost(after: Aftermath, where = ''): void {
  expect(after.forgotten, `${where}: acknowledged orders that are gone`).toEqual([])
  expect(after.lost, `${where}: orders with an event that was never accepted`).toEqual([])
  expect(after.half, `${where}: half-written`).toEqual([])
  expect(after.inverted, `${where}: orders whose first attempts came in the wrong order`).toEqual([])
  expect(after.unrecorded, `${where}: sent without an attempt on record`).toEqual([])
  expect(after.unequal, `${where}: repeats with another id or other bytes`).toEqual([])
}

import { version } from 'node:process'
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import type { Feed } from '../../journal/feed.ts'
import { soon } from '../../time/timers.ts'

/** How much of what the heap holds may come on top of it before old objects are collected, percent. By itself V8 waits
 *  for up to three times as much where there is memory, and requests are answered no faster for it. */
const growthPercent = 50

/** Where the space of new objects, of which one half is used at a time, stops growing, bytes: when it has 32 MB. By
 *  itself it goes on to four times as much. With half of it, what is under way is copied twice as often. */
const enoughBytes = 24e6

/** The space doubles within thousands of events. */
const lookEvery = 256

/** So long after the last event nobody waits, and what the start has compiled is kept. */
const quietMs = 2_000

/** So long after the last event of a load the system gets back what it can. It takes some 60 ms, and the next load begins
 *  with half to three quarters of its speed: V8 drops the shapes of objects of which there are none at the moment, and the
 *  code that it has compiled for them. By itself it does so after eight seconds; from Node 26 on, after thirty. */
const idleMs = 30_000

/** Keeps the heap small, in a process that is ours alone.
 *  @param feed tells of all that takes memory
 *  @param collect how garbage is collected */
export function keepHeapSmall(feed: Pick<Feed, 'listen'>, collect = collectors): void {
  limitGrowth(feed)
  collectWhenQuiet(feed, collect)
}

/** Limits can only be given to a Node that begins, but by how much the heap may grow can be said at any time. */
function limitGrowth(feed: Pick<Feed, 'listen'>): void {
  let mayGrow = true
  let events = 0
  // The young generation shrinks again in a pause, so it has to be watched; not by a timer, so that an idle program
  // sleeps.
  feed.listen(() => {
    events += 1
    if (events % lookEvery !== 0) return
    // Not at the start: what that has compiled is kept for the next one, and V8 refuses it if flags have changed.
    if (events === lookEvery) {
      setFlagsFromString(`--heap-growing-percent=${growthPercent}`)
      // What lives as long as a request looks long-lived to V8 in about every second process, and is made among the old
      // objects from then on. Dead, it still holds the rest of its request through the collections of new objects, so that
      // whole requests become old: up to a quarter more computing for each.
      setFlagsFromString('--no-allocation-site-pretenuring')
      // In a pause of a load V8 still collects, but shrinks nothing: see `idleMs`. Other versions don't know the flag.
      if (version.startsWith('v24.')) setFlagsFromString('--no-memory-reducer-favors-memory')
    }
    const isSmall = youngBytes() < enoughBytes
    if (isSmall === mayGrow) return
    mayGrow = isSmall
    setFlagsFromString(`--semi-space-growth-factor=${mayGrow ? 2 : 1}`)
  })
}

const youngBytes = (): number =>
  getHeapSpaceStatistics().find((space) => space.space_name === 'new_space')?.space_size ?? 0

/** After the start, and after each load: V8 gives back what it has no use for once it sees that little is made, but looks
 *  only when it collects. A program that makes nothing any more would keep up to 32 MB for the space of new objects. */
function collectWhenQuiet(feed: Pick<Feed, 'listen'>, collect: typeof collectors): void {
  let events = 0
  let eventsGivenBack = 0
  let waiting = false
  const wait = () => {
    waiting = true
    const before = events
    soon(quietMs, () => {
      waiting = false
      if (events !== before) return wait()
      collect.newObjects()
      if (events - eventsGivenBack >= lookEvery) soon(idleMs - quietMs, () => giveBack(before))
    })
  }
  const giveBack = (before: number) => {
    if (events !== before) return
    eventsGivenBack = events
    collect.allThatCanBe()
  }
  feed.listen(() => {
    events += 1
    if (!waiting) wait()
  })
  wait()
}

export const collectors = {
  /** In a millisecond or two; all the rest V8 does by itself then. */
  newObjects: (): void => garbageCollector()({ type: 'minor' }),
  /** Shrinks the heap as far as it goes. */
  allThatCanBe: (): void => garbageCollector()({ type: 'major', flavor: 'last-resort' }),
}

/** What collects all garbage at once, or that of new objects alone. */
export function garbageCollector(): (options?: { type: string; flavor?: string }) => void {
  // A context has `gc` if it is made under this flag.
  setFlagsFromString('--expose-gc')
  const gc = runInNewContext('gc')
  setFlagsFromString('--no-expose-gc')
  return gc
}

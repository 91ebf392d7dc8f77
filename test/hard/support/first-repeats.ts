import type { Arrival } from './judge.ts'

/** When a life began, and how many webhooks had arrived by then. */
export interface Start {
  readonly at: number
  readonly arrivals: number
}

/** For each life that sent what a former one had sent already: the milliseconds from its start to the first of those. */
export function firstRepeats(arrivals: readonly Arrival[], starts: readonly Start[]): number[] {
  const known = new Set<string>()
  return starts.flatMap(({ at, arrivals: from }, life) => {
    const own = arrivals.slice(from, starts[life + 1]?.arrivals)
    const repeat = own.find(({ id }) => known.has(id))
    for (const { id } of own) known.add(id)
    return repeat === undefined ? [] : [repeat.at - at]
  })
}

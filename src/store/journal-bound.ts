/** The maximum number of entries in the request log. */
export interface JournalBound {
  /** The maximum for all clients together. */
  readonly all: number
  /** The number kept of each client in any case, so that a busy client does not evict entries that other tests need.
   *  Requests of unknown clients count as one client. */
  readonly each: number
  /** If given, the maximum of bytes: the oldest entries of any client are evicted above that. It requires a look at
   *  every entry, so not every append asks for it. */
  readonly bytes?: number
}

/** The number of entries to evict per client, from the clients with most entries.
 *  @param counts the present numbers of entries */
export function excessEntries<Whose>(
  counts: ReadonlyMap<Whose, number>,
  { all, each }: JournalBound,
): Map<Whose, number> {
  let surplus = [...counts.values()].reduce((sum, count) => sum + count, 0) - all
  const left = new Map(counts)
  const ranked = [...counts].toSorted(([, a], [, b]) => b - a).map(([whose]) => whose)
  // Each round brings the largest clients down to the next largest, and ends when nothing is left to take.
  for (let n = 1; n <= ranked.length && surplus > 0; n++) {
    const most = ranked.slice(0, n)
    const next = ranked[n]
    const floor = Math.max(each, next === undefined ? 0 : (left.get(next) ?? 0))
    for (const [place, whose] of most.entries()) {
      const has = left.get(whose) ?? 0
      const fair = Math.ceil(surplus / (most.length - place))
      const taken = Math.max(0, Math.min(has - floor, fair, surplus))
      left.set(whose, has - taken)
      surplus -= taken
    }
  }
  return new Map(
    [...counts].flatMap(([whose, count]): [Whose, number][] => {
      const taken = count - (left.get(whose) ?? 0)
      return taken > 0 ? [[whose, taken]] : []
    }),
  )
}

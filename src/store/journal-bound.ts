/** How many entries of the journal are kept. */
export interface JournalBound {
  /** Of all clients together. */
  readonly all: number
  /** So many of each client are kept in any case: a busy one must not take from the others what their tests ask for.
   *  What names no known client counts as one more. */
  readonly each: number
  /** If given, all of them together are looked at, and the oldest give way until the rest have no more bytes than this,
   *  whosever they are. It takes a look at every entry, so not every append asks for it. */
  readonly bytes?: number
}

/** How many entries have to go, by whose they are: of those who have most, until no more than the bound are left.
 *  @param counts how many there are, by whose they are */
export function surplusOf<Whose>(
  counts: ReadonlyMap<Whose, number>,
  { all, each }: JournalBound,
): Map<Whose, number> {
  let surplus = [...counts.values()].reduce((sum, count) => sum + count, 0) - all
  const left = new Map(counts)
  const ranked = [...counts].toSorted(([, a], [, b]) => b - a).map(([whose]) => whose)
  // Each round brings those with most down to the next below them, and ends where there is nobody left to take from.
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

/** The right word that a wrong one was probably meant to be, for "did you mean". Capitals and separators do
 *  not count (`request_id` is `requestId`); otherwise one letter in three may be wrong, missing, extra or
 *  swapped with its neighbour.
 *  @returns the first of the nearest candidates, or `undefined` if none is near enough */
export function nearest(word: string, candidates: Iterable<string>): string | undefined {
  const wanted = bare(word)
  let best: string | undefined
  let least = Math.max(1, Math.floor(wanted.length / 3)) + 1
  for (const candidate of candidates) {
    const known = bare(candidate)
    if (Math.abs(known.length - wanted.length) >= least) continue
    const apart = distance(wanted, known)
    if (apart < least) [best, least] = [candidate, apart]
  }
  return best
}

/** ` did you mean ...?` as the end of a message, or nothing. */
export function didYouMean(word: string, candidates: Iterable<string>): string {
  const found = nearest(word, candidates)
  return found === undefined ? '' : `; did you mean \`${found}\`?`
}

const bare = (word: string): string =>
  word
    .slice(0, 100)
    .toLowerCase()
    .replaceAll(/[-_.\s]/g, '')

/** Damerau-Levenshtein distance in its optimal string alignment form: letters inserted, deleted, replaced, or
 *  swapped with the next one. */
function distance(a: string, b: string): number {
  let before: number[] = []
  let above = Array.from({ length: b.length + 1 }, (_, column) => column)
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1]
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      row[j] = Math.min(
        at(above, j) + 1,
        at(row, j - 1) + 1,
        at(above, j - 1) + (same ? 0 : 1),
        swapped ? at(before, j - 2) + 1 : Number.POSITIVE_INFINITY,
      )
    }
    ;[before, above] = [above, row]
  }
  return at(above, b.length)
}

const at = (row: readonly number[], column: number): number => row[column] ?? Number.POSITIVE_INFINITY

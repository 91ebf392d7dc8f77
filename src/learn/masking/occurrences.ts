import { type Replacement, readings, withReplaced } from '../../domain/journal/readings.ts'

/** A text to find, and what replaces it. */
export interface Known {
  readonly text: string
  readonly by: string
}

/** Texts with the same first characters. */
interface Bucket {
  readonly lengths: Set<number>
  readonly by: Map<string, string>
}

/** Shorter texts could be part of anything. */
export const shortestText = 3

/** Finds known texts as whole words, in a time that does not depend on their number. Letter case counts for all but
 *  e-mail addresses, which are found by their pattern. */
export class KnownTexts {
  readonly #buckets = new Map<string, Bucket>()

  add({ text, by }: Known): void {
    if (text.length < shortestText) return
    const start = text.slice(0, shortestText)
    const bucket = this.#buckets.get(start) ?? { lengths: new Set(), by: new Map() }
    bucket.lengths.add(text.length)
    bucket.by.set(text, by)
    this.#buckets.set(start, bucket)
  }

  /** Replaces the known texts, and those that patterns find, also where they are escaped as in URLs and JSON.
   *  @param patterns find further texts in a decoded text */
  replace(text: string, patterns: (text: string) => readonly Found[]): string {
    const found = readings(text).flatMap((reading): Replacement[] =>
      [...this.#foundIn(reading.text), ...patterns(reading.text)].map(({ start, end, by }) => {
        const [from, to] = [reading.at(start), reading.at(end)]
        const isEncoded = /%[\da-f]{2}/i.test(text.slice(from, to))
        return { from, to, by: isEncoded ? encodeURIComponent(by) : by }
      }),
    )
    return withReplaced(text, found)
  }

  #foundIn(text: string): Found[] {
    if (this.#buckets.size === 0) return []
    const all: Found[] = []
    for (let start = 0; start + shortestText <= text.length; start++) {
      const bucket = this.#buckets.get(text.slice(start, start + shortestText))
      if (bucket === undefined || isInWord(text, start)) continue
      for (const length of bucket.lengths) {
        const end = start + length
        const by =
          end > text.length || isInWord(text, end) ? undefined : bucket.by.get(text.slice(start, end))
        if (by !== undefined) all.push({ start, end, by })
      }
    }
    return all
  }
}

/** Where a text was found, and what replaces it. */
export interface Found {
  readonly start: number
  readonly end: number
  readonly by: string
}

const word = /[\p{L}\p{N}]/u

/** Whether a place lies inside a word. */
function isInWord(text: string, place: number): boolean {
  if (place === 0 || place >= text.length) return false
  return word.test(text.charAt(place - 1)) && word.test(text.charAt(place))
}

/** How often things happened, by their labels. The labels of a count come from a small set; a scenario may make up
 *  words all the same, so that there is a bound, and what is beyond it is counted together. */
export class Counts<Name extends string> {
  readonly names: readonly Name[]
  readonly #most: number
  readonly #counts = new Map<string, { readonly values: readonly string[]; count: number }>()

  /** @param most how many sets of labels are told apart */
  constructor(names: readonly Name[], most = 1_000) {
    this.names = names
    this.#most = most
  }

  /** Counts one, under values in the order of the names. */
  add(...values: readonly string[]): void {
    const key = values.join('\0')
    const known = this.#counts.get(key)
    if (known !== undefined) known.count += 1
    else if (this.#counts.size < this.#most || values.every((value) => value === 'other'))
      this.#counts.set(key, { values, count: 1 })
    else this.add(...this.names.map(() => 'other'))
  }

  entries(): { readonly values: readonly string[]; readonly count: number }[] {
    return [...this.#counts.values()]
  }
}

/** Counts values by the upper bound that they stay within, and sums them. */
export class Histogram {
  readonly bounds: readonly number[]
  /** One more than the bounds: the last place is for what is above them all. */
  readonly #counts: number[]
  #sum = 0

  /** @param bounds upper ones, inclusive, ascending */
  constructor(bounds: readonly number[]) {
    this.bounds = bounds
    this.#counts = new Array<number>(bounds.length + 1).fill(0)
  }

  add(value: number): void {
    const found = this.bounds.findIndex((bound) => value <= bound)
    const place = found === -1 ? this.bounds.length : found
    this.#counts[place] = (this.#counts[place] ?? 0) + 1
    this.#sum += value
  }

  /** How many values were at or below each bound, and below none; ascending. */
  get upTo(): number[] {
    let sum = 0
    return this.#counts.map((count) => {
      sum += count
      return sum
    })
  }

  get sum(): number {
    return this.#sum
  }
}

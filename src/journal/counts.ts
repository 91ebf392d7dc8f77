/** How often things happened, by their labels. The labels of a count come from a small set; a scenario may make up
 *  words all the same, so that there is a bound, and what is beyond it is counted together. */
export class Counts<Name extends string> {
  readonly names: readonly Name[]
  readonly #most: number
  readonly #counts = new Map<string, Counted>()
  /** The one that was counted last: it will be the next one too. */
  #last: Counted | undefined

  /** @param most how many sets of labels are told apart */
  constructor(names: readonly Name[], most = 1_000) {
    this.names = names
    this.#most = most
  }

  /** Counts one, under values in the order of the names. */
  add(...values: readonly string[]): void {
    if (this.#last === undefined || !isSame(values, this.#last.values)) this.#last = this.#find(values)
    this.#last.count += 1
  }

  entries(): { readonly values: readonly string[]; readonly count: number }[] {
    return [...this.#counts.values()]
  }

  #find(values: readonly string[]): Counted {
    const key = values.join('\0')
    const known = this.#counts.get(key)
    if (known !== undefined) return known
    return this.#counts.size < this.#most ? this.#begin(key, values) : this.#other()
  }

  #other(): Counted {
    const values = this.names.map(() => 'other')
    const key = values.join('\0')
    return this.#counts.get(key) ?? this.#begin(key, values)
  }

  #begin(key: string, values: readonly string[]): Counted {
    const counted = { values, count: 0 }
    this.#counts.set(key, counted)
    return counted
  }
}

interface Counted {
  readonly values: readonly string[]
  count: number
}

const isSame = (some: readonly string[], others: readonly string[]): boolean =>
  some.every((value, index) => value === others[index])

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
    const key = values.length === 1 ? (values[0] ?? '') : values.join('\0')
    const counted = this.#counts.get(key)
    if (counted !== undefined) counted.count += 1
    else if (this.#counts.size < this.#most) this.#counts.set(key, { values, count: 1 })
    else this.#addOther()
  }

  entries(): { readonly values: readonly string[]; readonly count: number }[] {
    return [...this.#counts.values()]
  }

  #addOther(): void {
    const values = this.names.map(() => 'other')
    const key = values.join('\0')
    const other = this.#counts.get(key)
    if (other === undefined) this.#counts.set(key, { values, count: 1 })
    else other.count += 1
  }
}

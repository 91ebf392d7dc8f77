/** Keys of orders that wait to be written, and where those orders stand (`seq`). In groups by how they begin, so that
 *  neighbours can be taken out together. */
export class WaitingKeys {
  readonly #groups = new Map<string, Map<string, number>>(beginnings.map((digits) => [digits, new Map()]))
  #next = 0
  #size = 0

  get size(): number {
    return this.#size
  }

  get(key: string): number | undefined {
    return this.#groupOf(key)?.get(key)
  }

  /** Where those stand whose keys begin so, with two digits or more. */
  under(beginning: string): number[] {
    const group = [...(this.#groupOf(beginning) ?? [])]
    return group.filter(([key]) => key.startsWith(beginning)).map(([, seq]) => seq)
  }

  add(key: string, seq: number): void {
    const group = this.#groupOf(key)
    if (group === undefined) throw new RangeError(`no key of an order: ${key}`)
    if (!group.has(key)) this.#size += 1
    group.set(key, seq)
  }

  /** Takes out one, if it waits. */
  take(key: string): [key: string, seq: number][] {
    const seq = this.get(key)
    if (seq === undefined) return []
    this.#groupOf(key)?.delete(key)
    this.#size -= 1
    return [[key, seq]]
  }

  /** Takes out neighbours, at least so many if there are: each time those behind the last. */
  takeNext(wanted: number): [key: string, seq: number][] {
    const taken: [string, number][] = []
    while (taken.length < wanted && this.#size > 0) {
      const group = this.#groupOf(beginnings[this.#next] ?? '')
      this.#next = (this.#next + 1) % beginnings.length
      taken.push(...(group ?? []))
      this.#size -= group?.size ?? 0
      group?.clear()
    }
    return taken
  }

  /** The lowest `seq` of all. */
  lowest(): number | undefined {
    let lowest: number | undefined
    for (const group of this.#groups.values())
      for (const seq of group.values()) if (lowest === undefined || seq < lowest) lowest = seq
    return lowest
  }

  #groupOf(key: string): Map<string, number> | undefined {
    return this.#groups.get(key.slice(0, 2))
  }
}

/** `00` to `ff`. */
const beginnings = Array.from({ length: 256 }, (_, index) => index.toString(16).padStart(2, '0'))

import { numberOfKey } from './key-numbers.ts'

export type WaitingKey = readonly [key: string, seq: number]

/** Keys of orders that wait to be written, and where those orders stand (`seq`). In groups by their first two digits, so that
 *  neighbours can be taken together. */
export class WaitingKeys {
  /** By their numbers: to find a text takes a microsecond. */
  readonly #seqs = new Map<number, number>()
  readonly #groups: string[][] = Array.from({ length: 256 }, () => [])
  #next = 0

  get size(): number {
    return this.#seqs.size
  }

  get(key: string): number | undefined {
    return this.#seqs.get(numberOfKey(key))
  }

  /** Where those stand whose keys begin so, with two digits or more. */
  under(beginning: string): number[] {
    const keys = this.#groupOf(numberOfKey(beginning.padEnd(8, '0')))
    return keys.filter((key) => key.startsWith(beginning)).flatMap((key) => this.get(key) ?? [])
  }

  add(key: string, seq: number): void {
    const number = numberOfKey(key)
    const before = this.#seqs.size
    this.#seqs.set(number, seq)
    if (this.#seqs.size > before) this.#groupOf(number).push(key)
  }

  /** Takes one, if it waits. */
  take(key: string): WaitingKey[] {
    const number = numberOfKey(key)
    const seq = this.#seqs.get(number)
    if (seq === undefined) return []
    const group = this.#groupOf(number)
    group.splice(group.indexOf(key), 1)
    this.#seqs.delete(number)
    return [[key, seq]]
  }

  /** Takes neighbours, at least so many if there are: each time those behind the last. */
  takeNext(wanted: number): WaitingKey[] {
    const taken: WaitingKey[] = []
    while (taken.length < wanted && this.size > 0) {
      for (const key of this.#groups[this.#next] ?? []) {
        const number = numberOfKey(key)
        taken.push([key, this.#seqs.get(number) ?? 0])
        this.#seqs.delete(number)
      }
      this.#groups[this.#next] = []
      this.#next = (this.#next + 1) % this.#groups.length
    }
    return taken
  }

  /** The lowest `seq` of all. */
  lowest(): number | undefined {
    let lowest: number | undefined
    for (const seq of this.#seqs.values()) if (lowest === undefined || seq < lowest) lowest = seq
    return lowest
  }

  #groupOf(number: number): string[] {
    return this.#groups[number >>> 24] ?? []
  }
}

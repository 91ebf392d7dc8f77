/** How values spread over some bounds: what a histogram shows. */
export class Spread {
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

/** More entries than this within so many ticks are a load under which most entries give way to newer ones before anybody
 *  could read them. Several ticks, as one in which the machine gave little would look like the end of a load. */
const isLoadFrom = 1_000
const lookedBack = 4
/** So many ticks are left out then. */
const leftOut = 59

/** At which ticks what waits is written: at each, but under load at each sixtieth. The journal would be written anew
 *  over and over, and that costs a create call a seventh of its speed. */
export class WritePace {
  #leftOut = 0
  readonly #recent: number[] = []

  /** A tick. @param came how many entries have come since the one before */
  isDue(came: number): boolean {
    this.#recent.push(came)
    if (this.#recent.length > lookedBack) this.#recent.shift()
    const recently = this.#recent.reduce((sum, each) => sum + each, 0)
    if (recently > isLoadFrom && this.#leftOut < leftOut) {
      this.#leftOut += 1
      return false
    }
    this.#leftOut = 0
    return true
  }
}

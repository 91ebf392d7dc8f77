/** More entries than this in a tick are a load under which most entries give way to newer ones before anybody could read
 *  them. */
const isLoadFrom = 250
/** It is over after so many ticks with fewer on average: one in which the machine gave little is not its end. */
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
    const isLoad = came > isLoadFrom || recently > isLoadFrom * lookedBack
    if (isLoad && this.#leftOut < leftOut) {
      this.#leftOut += 1
      return false
    }
    this.#leftOut = 0
    return true
  }
}

/** More entries than this between two ticks are a load under which most entries give way to newer ones before anybody
 *  could read them. */
const isLoadFrom = 250
/** So many ticks are left out then. */
const leftOut = 59

/** At which ticks what waits is written: at each, but under load at each sixtieth. The journal would be written anew
 *  over and over, and that costs a create call a seventh of its speed. */
export class WritePace {
  #leftOut = 0

  /** A tick. @param came how many entries have come since the one before */
  isDue(came: number): boolean {
    if (came > isLoadFrom && this.#leftOut < leftOut) {
      this.#leftOut += 1
      return false
    }
    this.#leftOut = 0
    return true
  }
}

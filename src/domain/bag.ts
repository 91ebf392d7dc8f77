/** Things that come and go by the thousand, few at a time and in no order.
 *
 *  Not a `Set`: as things come and go, that makes itself a new table every few dozen times, and in V8 each table keeps the next
 *  one. Once one of them is among the old objects, all later ones and what was in them outlive every collection of new
 *  objects: a seventh of what a webhook leaves behind did. */
export class Bag<T> implements Iterable<T> {
  readonly #things: T[] = []

  get size(): number {
    return this.#things.length
  }

  add(thing: T): void {
    this.#things.push(thing)
  }

  /** Takes out what was added once. Looks through all: for few of them that is as quick as a table. */
  delete(thing: T): void {
    const place = this.#things.indexOf(thing)
    if (place === -1) return
    const last = this.#things.pop()
    if (last !== undefined && last !== thing) this.#things[place] = last
  }

  /** Those that are there now, whatever becomes of them meanwhile. */
  [Symbol.iterator](): Iterator<T> {
    return [...this.#things].values()
  }
}

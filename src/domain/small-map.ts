/** A few things by their keys, which come and go.
 *
 *  Not a `Map`, for the reason that a `Bag` is not a `Set`: where some come and go for each webhook, what a map holds outlives
 *  the collections of new objects. A key is looked for among all: for few of them that is as quick as a table. */
export class SmallMap<K, V> implements Iterable<readonly [K, V]> {
  readonly #keys: K[] = []
  readonly #values: V[] = []

  get size(): number {
    return this.#keys.length
  }

  has(key: K): boolean {
    return this.#keys.includes(key)
  }

  get(key: K): V | undefined {
    const place = this.#keys.indexOf(key)
    return place === -1 ? undefined : this.#values[place]
  }

  set(key: K, value: V): void {
    const place = this.#keys.indexOf(key)
    if (place !== -1) this.#values[place] = value
    else {
      this.#keys.push(key)
      this.#values.push(value)
    }
  }

  /** @returns whether it was there */
  delete(key: K): boolean {
    const place = this.#keys.indexOf(key)
    if (place === -1) return false
    this.#keys.splice(place, 1)
    this.#values.splice(place, 1)
    return true
  }

  /** Those that are there now, in the order they came, whatever becomes of them meanwhile. */
  keys(): K[] {
    return this.#keys.slice()
  }

  /** The same. */
  values(): V[] {
    return this.#values.slice()
  }

  /** The same. */
  [Symbol.iterator](): Iterator<readonly [K, V]> {
    const values = this.values()
    return this.#keys.map((key, place) => [key, values[place] as V] as const).values()
  }
}

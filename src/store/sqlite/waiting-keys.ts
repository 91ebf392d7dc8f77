import { keyOfNumber, numberOfKey } from './key-numbers.ts'

export type WaitingKey = readonly [key: string, seq: number]

/** Keys of orders that wait to be written, and where those orders stand (`seq`).
 *
 *  A hash table with linear probing, whose hash is how a key begins: keys are as good as random already. So neighbours lie side
 *  by side and are taken together. Where thousands of clients use one requestId, their keys begin alike, and to find one of
 *  them takes ten microseconds. In numbers and not in texts and objects, because each new order adds one, which V8 would copy
 *  and collect. */
export class WaitingKeys {
  /** How many of a key's bits say where it belongs. */
  #bits = leastBits
  #numbers = new Int32Array(2 ** leastBits)
  /** 0: the slot is empty. */
  #seqs = new Float64Array(2 ** leastBits)
  #size = 0
  #next = 0

  get size(): number {
    return this.#size
  }

  get(key: string): number | undefined {
    const seq = this.#seqs[this.#find(numberOfKey(key))]
    return seq === 0 ? undefined : seq
  }

  /** Where those stand whose keys begin so. */
  beginningWith(beginning: string): number[] {
    const first = numberOfKey(beginning.padEnd(8, '0')) >>> 0
    const last = numberOfKey(beginning.padEnd(8, 'f')) >>> 0
    const found: number[] = []
    const seqOf = (slot: number) => this.#seqs[slot] ?? 0
    let slot = this.#home(first)
    for (let ahead = this.#home(last) - slot; ahead >= 0 || seqOf(slot) !== 0; ahead--) {
      const number = (this.#numbers[slot] ?? 0) >>> 0
      if (seqOf(slot) !== 0 && number >= first && number <= last) found.push(seqOf(slot))
      slot = this.#after(slot)
    }
    return found
  }

  add(key: string, seq: number): void {
    if (2 * this.#size >= this.#seqs.length) this.#grow()
    this.#put(numberOfKey(key), seq)
  }

  /** Takes one, if it waits. */
  take(key: string): WaitingKey[] {
    const slot = this.#find(numberOfKey(key))
    const seq = this.#seqs[slot] ?? 0
    if (seq === 0) return []
    this.#empty(slot)
    // Those behind it may have come to stand there because this one was in their way.
    for (let behind = this.#after(slot); this.#seqs[behind] !== 0; behind = this.#after(behind))
      this.#put(this.#numbers[behind] ?? 0, this.#empty(behind))
    return [[key, seq]]
  }

  /** Takes neighbours, at least so many if there are: each time those behind the last. */
  takeNext(wanted: number): WaitingKey[] {
    const taken: WaitingKey[] = []
    // Up to an empty slot: whatever remains was put in its place without a look at those that are taken.
    while (this.#size > 0 && (taken.length < wanted || this.#seqs[this.#next] !== 0)) {
      const slot = this.#next
      if (this.#seqs[slot] !== 0) taken.push([keyOfNumber(this.#numbers[slot] ?? 0), this.#empty(slot)])
      this.#next = this.#after(slot)
    }
    return taken
  }

  /** The lowest `seq` of all. */
  lowest(): number | undefined {
    let lowest: number | undefined
    // By index: an iterator would make an object for each of thousands of slots.
    for (let slot = 0; slot < this.#seqs.length; slot++) {
      const seq = this.#seqs[slot] ?? 0
      if (seq !== 0 && (lowest === undefined || seq < lowest)) lowest = seq
    }
    return lowest
  }

  /** Where a number stands, or would. */
  #find(number: number): number {
    let slot = this.#home(number)
    while (this.#seqs[slot] !== 0 && this.#numbers[slot] !== number) slot = this.#after(slot)
    return slot
  }

  #put(number: number, seq: number): void {
    const slot = this.#find(number)
    if (this.#seqs[slot] === 0) this.#size++
    this.#numbers[slot] = number
    this.#seqs[slot] = seq
  }

  /** Answers the `seq` that stood there. */
  #empty(slot: number): number {
    const seq = this.#seqs[slot] ?? 0
    this.#seqs[slot] = 0
    this.#size--
    return seq
  }

  #grow(): void {
    const [numbers, seqs] = [this.#numbers, this.#seqs]
    this.#bits += 1
    this.#numbers = new Int32Array(2 * seqs.length)
    this.#seqs = new Float64Array(2 * seqs.length)
    this.#size = 0
    for (const [slot, seq] of seqs.entries()) if (seq !== 0) this.#put(numbers[slot] ?? 0, seq)
  }

  #home(number: number): number {
    return number >>> (32 - this.#bits)
  }

  #after(slot: number): number {
    return (slot + 1) & (this.#seqs.length - 1)
  }
}

const leastBits = 8

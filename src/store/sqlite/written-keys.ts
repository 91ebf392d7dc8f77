import type { Database } from 'better-sqlite3'
import { numberOfKey } from './key-numbers.ts'

/** Knows of most keys that the table `order_keys` does not have them. A new order would have to ask the table otherwise, which
 *  takes several microseconds.
 *
 *  A mark of one bit stands for all keys that begin with the same 23 bits. It is set if the table has one of them, and may
 *  still be if it has none any more. The marks of one part of the keys are read from the table when a key of that part is
 *  first asked for. All of them take a megabyte, however many orders there are; among a million orders, one new key in nine
 *  meets a mark and has to be looked for. */
export class WrittenKeys {
  readonly #marks = new Uint8Array(2 ** markBits / 8)
  readonly #isRead = new Uint8Array(2 ** partBits)
  readonly #between
  readonly #find

  constructor(sqlite: Database) {
    const from = 'from order_keys where id_key'
    this.#between = sqlite
      .prepare<[first: string, last: string], string>(`select id_key ${from} between ? and ?`)
      .pluck()
    this.#find = sqlite.prepare<[key: string], 1>(`select 1 ${from} = ?`).pluck()
  }

  has(key: string): boolean {
    const number = numberOfKey(key)
    const part = number >>> (32 - partBits)
    if (this.#isRead[part] === 0) this.#read(part, key.slice(0, partBits / 4))
    return this.#isMarked(number) && this.#find.get(key) !== undefined
  }

  /** To be called with each key that is written. */
  add(key: string): void {
    this.#mark(numberOfKey(key))
  }

  /** To be called when the table may have keys that were not added: deleted ones that are back, or what a statement of its own
   *  has written. */
  forget(): void {
    this.#isRead.fill(0)
  }

  #read(part: number, beginning: string): void {
    const bytes = this.#marks.length / this.#isRead.length
    this.#marks.fill(0, part * bytes, (part + 1) * bytes)
    for (const key of this.#between.all(beginning.padEnd(8, '0'), beginning.padEnd(8, 'f'))) this.add(key)
    this.#isRead[part] = 1
  }

  #isMarked(number: number): boolean {
    const mark = number >>> (32 - markBits)
    return ((this.#marks[mark >>> 3] ?? 0) & (1 << (mark & 7))) !== 0
  }

  #mark(number: number): void {
    const mark = number >>> (32 - markBits)
    this.#marks[mark >>> 3] = (this.#marks[mark >>> 3] ?? 0) | (1 << (mark & 7))
  }
}

const markBits = 23

/** Three digits. Of a million keys 250 begin with the same, which are read in 0.1 ms. */
const partBits = 12

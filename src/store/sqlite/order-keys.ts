import type { Database } from 'better-sqlite3'
import { endsWithKey, hasOwnId } from './order-ids.ts'
import { type WaitingKey, WaitingKeys } from './waiting-keys.ts'
import { WrittenKeys } from './written-keys.ts'

/** So many wait at most. The more there are, the closer neighbours lie, and the fewer pages hold them. */
const mostWaiting = 16_384

/** At least so many are written at once, in one or two milliseconds. */
const writtenAtOnce = 1_024

/** So many by one statement: half of what it takes to insert one is to call SQLite. */
const insertedTogether = 8

/** Leads to orders by their keys (`orderKey`): those in the table `order_keys`, and those that wait to be written there.
 *
 *  A requestId is its caller's own and as good as random. Written together with its order, each key would change a page of
 *  its own, which is as much to write as all the rest of the order. So keys wait in memory, and are written by the
 *  thousand, neighbours together. A crash loses none of them, because each stands in its order too.
 *
 *  What always holds: the key of each order waits or is in the table; of the orders up to the bound that is stored with the
 *  table, it is in the table, so a start looks at those behind it alone. What need not hold: two orders may share a key,
 *  and one that was undone may have left its own. So whoever finds an order here compares its ids. */
export class OrderKeys {
  readonly #waiting = new WaitingKeys()
  readonly #written
  /** What the transaction that is under way has taken from those that wait. */
  #taken: (readonly WaitingKey[])[] = []
  /** Whether the transaction that is under way has removed keys. */
  #hasRemoved = false
  /** Whether there is, or was, an order whose orderId does not end with its key. */
  #someHaveOwnIds
  readonly #insert
  readonly #insertSeveral
  readonly #insertBehind
  readonly #insertOf
  readonly #deleteAll
  readonly #deleteOf
  readonly #setBound
  readonly #last
  readonly #lastOfOthers
  readonly #anyOwnId
  readonly #withOwnId
  readonly #mostWaiting

  /** Writes what a crash has left unwritten.
   *  @param atMost how many may wait */
  constructor(sqlite: Database, atMost = mostWaiting) {
    this.#mostWaiting = atMost
    this.#written = new WrittenKeys(sqlite)
    const into = 'insert or ignore into order_keys'
    const from = 'select id_key, seq from orders where'
    this.#insert = sqlite.prepare<[key: string, seq: number]>(`${into} values (?, ?)`)
    const several = Array.from({ length: insertedTogether }, () => '(?, ?)')
    this.#insertSeveral = sqlite.prepare<(string | number)[]>(`${into} values ${several}`)
    this.#insertBehind = sqlite.prepare<[bound: number]>(`${into} ${from} seq > ? order by id_key, seq`)
    this.#insertOf = sqlite.prepare<[clientId: string]>(`${into} ${from} client_id = ? order by id_key, seq`)
    this.#deleteAll = sqlite.prepare('delete from order_keys')
    this.#deleteOf = sqlite.prepare<[clientId: string]>(
      `delete from order_keys where (id_key, order_seq) in (${from} client_id = ?)`,
    )
    this.#setBound = sqlite.prepare<[bound: number]>('insert or replace into order_keys_bound values (1, ?)')
    this.#last = sqlite.prepare<[], number | null>('select max(seq) from orders').pluck()
    this.#lastOfOthers = sqlite
      .prepare<[clientId: string], number>(
        'select seq from orders where client_id <> +? order by seq desc limit 1',
      )
      .pluck()
    this.#anyOwnId = sqlite
      .prepare<[], 1>(`select 1 from orders where ${hasOwnId} and order_id > '' limit 1`)
      .pluck()
    this.#withOwnId = sqlite
      .prepare<[orderId: string], 1>(`select 1 from orders where ${hasOwnId} and order_id = ?`)
      .pluck()
    this.#someHaveOwnIds = this.#haveOwnIds()
    sqlite.function('waiting_order', (key) => this.#waiting.get(String(key)) ?? null)
    sqlite.function('waiting_orders', (beginning) =>
      JSON.stringify(this.#waiting.beginningWith(String(beginning))),
    )
    const bound = sqlite.prepare<[], number>('select seq from order_keys_bound').pluck().get() ?? 0
    if (this.#lastSeq() > bound) sqlite.transaction(() => this.#insertAllBehind(bound))()
  }

  /** The `seq` of the order whose key waits, if one does. It is the only one with this key. */
  waiting(key: string): number | undefined {
    return this.#waiting.get(key)
  }

  /** Whether another order may have the ids of a new one: then SQLite has to be asked. */
  mayBeTaken(ids: NewIds): boolean {
    const { idKey, orderId } = ids
    if (this.#waiting.get(idKey) !== undefined || this.#written.has(idKey)) return true
    // An id that ends otherwise may end with another's key.
    return !endsWithKey(ids) || (this.#someHaveOwnIds && this.#withOwnId.get(orderId) !== undefined)
  }

  /** Adds the key of a new order, part of a write.
   *  @param sharesKey whether another order may have the same key (`mayBeTaken`, asked before this one was there) */
  add(ids: NewIds, seq: number, sharesKey: boolean): void {
    const key = ids.idKey
    if (!endsWithKey(ids)) this.#someHaveOwnIds = true
    if (sharesKey) {
      this.#addAnother(key, seq)
      return
    }
    this.#waiting.add(key, seq)
    if (this.#waiting.size < this.#mostWaiting) return
    this.#write(this.#waiting.takeNext(writtenAtOnce))
    this.#setBound.run((this.#waiting.lowest() ?? seq + 1) - 1)
  }

  /** Writes all that wait, part of a write. */
  writeAll(): void {
    if (this.#waiting.size === 0) return
    this.#write(this.#waiting.takeNext(Number.POSITIVE_INFINITY))
    this.#setBound.run(this.#lastSeq())
  }

  /** Removes the keys of a client's orders, or of all, part of a write. To be called before those orders are deleted. */
  remove(clientId: string | undefined): void {
    this.#hasRemoved = true
    this.#write(this.#waiting.takeNext(Number.POSITIVE_INFINITY))
    if (clientId === undefined) this.#deleteAll.run()
    else this.#deleteOf.run(clientId)
    // What is made next may get a number that was theirs.
    this.#setBound.run(clientId === undefined ? 0 : (this.#lastOfOthers.get(clientId) ?? 0))
  }

  /** Adds the keys of a client's orders, or of all, part of a write. To be called after `remove` and once they are there. */
  rebuild(clientId: string | undefined): void {
    if (clientId === undefined) this.#insertBehind.run(0)
    else this.#insertOf.run(clientId)
    this.#setBound.run(this.#lastSeq())
    this.#written.forget()
    this.#someHaveOwnIds ||= this.#haveOwnIds()
  }

  /** To be called when a transaction has been committed. */
  committed(): void {
    if (this.#taken.length > 0) this.#taken = []
    this.#hasRemoved = false
  }

  /** To be called when one verb of a transaction has been undone. */
  undone(): void {
    this.#forgetRemoved()
    for (const [key, seq] of this.#taken.flat()) this.#insertOne(key, seq)
  }

  /** To be called when a transaction has been undone. */
  rolledBack(): void {
    this.#forgetRemoved()
    for (const [key, seq] of this.#taken.flat()) this.#waiting.add(key, seq)
    this.#taken = []
    this.#hasRemoved = false
  }

  #addAnother(key: string, seq: number): void {
    // In the second run of a verb it is the same that the first has added.
    if (this.#waiting.get(key) === seq) return
    this.#write(this.#waiting.take(key))
    this.#insertOne(key, seq)
  }

  #write(keys: readonly WaitingKey[]): void {
    const together = keys.length - (keys.length % insertedTogether)
    for (let at = 0; at < together; at += insertedTogether)
      this.#insertSeveral.run(...keys.slice(at, at + insertedTogether).flat())
    for (const [key, seq] of keys.slice(together)) this.#insert.run(key, seq)
    for (const [key] of keys) this.#written.add(key)
    this.#taken.push(keys)
  }

  #insertOne(key: string, seq: number): void {
    this.#insert.run(key, seq)
    this.#written.add(key)
  }

  /** Keys that were removed may be back. */
  #forgetRemoved(): void {
    if (this.#hasRemoved) this.#written.forget()
  }

  #haveOwnIds(): boolean {
    return this.#anyOwnId.get() !== undefined
  }

  #insertAllBehind(bound: number): void {
    this.#insertBehind.run(bound)
    this.#setBound.run(this.#lastSeq())
  }

  #lastSeq(): number {
    return this.#last.get() ?? 0
  }
}

/** Of an order that is not stored yet. */
interface NewIds {
  readonly orderId: string
  readonly charge: number
  readonly idKey: string
}

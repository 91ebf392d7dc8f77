import { DatabaseSync } from 'node:sqlite'
import { z } from 'zod'
import type { Charge, Refunds } from './payment-service.ts'

const row = z.object({
  requestId: z.string(),
  kind: z.enum(['checkout', 'subscription']),
  amount: z.string(),
  email: z.string(),
  // As JSON, because SQLite does not keep every text that a browser can send.
  note: z.string().transform((text) => z.string().parse(JSON.parse(text))),
  cart: z.string(),
  status: z.enum(['waiting', 'paid', 'declined', 'cancelled', 'expired']),
  token: z.string().nullable(),
  opened: z.number().transform(Boolean),
  attempts: z.number(),
  createdAt: z.number(),
  decidedAt: z.number().nullable(),
  expiresAt: z.number().nullable(),
})

/** What somebody wants to pay for. `opened`: the payment service has it, as far as is known here. Times are epoch
 *  milliseconds of the shop's clock. */
export type Order = z.output<typeof row>
export type NewOrder = Pick<Order, 'requestId' | 'kind' | 'amount' | 'email' | 'note' | 'cart' | 'createdAt'>

/** Orders, the parcels that were sent for them, and their refunds, in SQLite. */
export class Orders {
  readonly #database: DatabaseSync

  /** @param file `:memory:`, or where to keep them */
  constructor(file: string) {
    this.#database = new DatabaseSync(file)
    this.#database.exec(`
      PRAGMA journal_mode = WAL;
      CREATE TABLE IF NOT EXISTS orders (
        requestId TEXT PRIMARY KEY, kind TEXT NOT NULL, amount TEXT NOT NULL, email TEXT NOT NULL,
        note TEXT NOT NULL, cart TEXT NOT NULL, status TEXT NOT NULL DEFAULT 'waiting', token TEXT,
        opened INTEGER NOT NULL DEFAULT 0, attempts INTEGER NOT NULL DEFAULT 0,
        createdAt INTEGER NOT NULL, decidedAt INTEGER, expiresAt INTEGER,
        nextLookAt INTEGER NOT NULL DEFAULT 0, refundFailure TEXT) STRICT;
      CREATE INDEX IF NOT EXISTS carts ON orders (cart);
      CREATE TABLE IF NOT EXISTS parcels (
        requestId TEXT NOT NULL, orderId TEXT NOT NULL, PRIMARY KEY (requestId, orderId)) STRICT;
      CREATE TABLE IF NOT EXISTS refunds (
        requestId TEXT NOT NULL, refundId TEXT NOT NULL, fiatAmount TEXT NOT NULL, status TEXT NOT NULL,
        PRIMARY KEY (requestId, refundId)) STRICT;
      -- Payments may have arrived while the shop was down.
      UPDATE orders SET nextLookAt = 0`)
  }

  add({ requestId, kind, amount, email, note, cart, createdAt }: NewOrder): void {
    this.#run(
      'INSERT INTO orders (requestId, kind, amount, email, note, cart, createdAt) VALUES (?, ?, ?, ?, ?, ?, ?)',
      [requestId, kind, amount, email, JSON.stringify(note), cart, createdAt],
    )
  }

  /** Returns the open or paid order of a cart. */
  ofCart(cart: string): string | undefined {
    const [found] = cart === '' ? [] : this.#ids("cart = ? AND status IN ('waiting', 'paid')", [cart])
    return found
  }

  find(requestId: string): Order | undefined {
    const found = this.#database.prepare('SELECT * FROM orders WHERE requestId = ?').get(requestId)
    return found && row.parse(found)
  }

  parcels(requestId: string): number {
    const counted = this.#database
      .prepare('SELECT count(*) AS n FROM parcels WHERE requestId = ?')
      .get(requestId)
    return Number(counted?.n)
  }

  refunds(requestId: string) {
    const select = 'SELECT refundId, fiatAmount, status FROM refunds WHERE requestId = ?'
    return this.#database.prepare(select).all(requestId)
  }

  /** Lists the orders that may still change: open ones, subscriptions, orders that ended unpaid since `endedSince`, and
   *  orders paid since `paidSince`.
   *  @param dueBy lists an order only if its next lookup is due by then */
  open({ endedSince, paidSince, dueBy }: Record<'endedSince' | 'paidSince' | 'dueBy', number>): string[] {
    return this.#ids(
      `(status = 'waiting' OR kind = 'subscription' OR decidedAt >= iif(status = 'paid', ?, ?)) AND nextLookAt <= ?`,
      [paidSince, endedSince, dueBy],
    )
  }

  lookAgain(requestId: string, atMs: number): void {
    this.#run('UPDATE orders SET nextLookAt = ? WHERE requestId = ?', [atMs, requestId])
  }

  attempted(requestId: string): void {
    this.#run('UPDATE orders SET attempts = attempts + 1 WHERE requestId = ?', [requestId])
  }

  opened(requestId: string, token: string | null, expiresAt: number | null): void {
    this.#run('UPDATE orders SET opened = 1, token = ?, expiresAt = ? WHERE requestId = ?', [
      token,
      expiresAt,
      requestId,
    ])
  }

  /** Ends the wait for a payment. The payment may still arrive. */
  end(requestId: string, status: 'declined' | 'cancelled' | 'expired', nowMs: number): void {
    this.#run(
      "UPDATE orders SET status = ?, decidedAt = ? WHERE requestId = ? AND status IN ('waiting', 'expired')",
      [status, nowMs, requestId],
    )
  }

  /** Takes over what the service says of the payments, all or nothing: a parcel for each that is completed and has
   *  none yet. What is paid stays paid. */
  settle(requestId: string, charges: readonly Charge[], nowMs: number): void {
    const completed = charges.filter(({ orderStatus }) => orderStatus === 'COMPLETED')
    const failed = charges.length > 0 && charges.every(({ orderStatus }) => orderStatus === 'FAILED')
    this.#database.exec('BEGIN IMMEDIATE')
    try {
      for (const { orderId } of completed)
        this.#run('INSERT OR IGNORE INTO parcels (requestId, orderId) VALUES (?, ?)', [requestId, orderId])
      if (completed.length > 0) this.#pay(requestId, nowMs)
      if (failed) this.end(requestId, 'declined', nowMs)
      this.#database.exec('COMMIT')
    } catch (error) {
      this.#database.exec('ROLLBACK')
      throw error
    }
  }

  refunded(requestId: string, { refunds, failure }: Refunds): void {
    for (const { refundId, fiatAmount, status } of refunds)
      this.#run('INSERT OR REPLACE INTO refunds VALUES (?, ?, ?, ?)', [
        requestId,
        refundId,
        fiatAmount,
        status,
      ])
    this.#run('UPDATE orders SET refundFailure = ? WHERE requestId = ?', [failure, requestId])
  }

  #pay(requestId: string, nowMs: number): void {
    this.#run(
      "UPDATE orders SET status = 'paid', opened = 1, decidedAt = ? WHERE requestId = ? AND status != 'paid'",
      [nowMs, requestId],
    )
  }

  #ids(condition: string, values: (string | number)[]): string[] {
    const rows = this.#database.prepare(`SELECT requestId FROM orders WHERE ${condition}`).all(...values)
    return rows.map(({ requestId }) => String(requestId))
  }

  #run(statement: string, values: (string | number | null)[]): void {
    this.#database.prepare(statement).run(...values)
  }
}

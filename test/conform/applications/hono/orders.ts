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
  status: z.enum(['waiting', 'paid', 'declined']),
  token: z.string().nullable(),
  opened: z.number().transform(Boolean),
  attempts: z.number(),
})

/** What somebody wants to pay for. `opened`: the payment service has it, as far as is known here. */
export type Order = z.output<typeof row>
export type NewOrder = Pick<Order, 'requestId' | 'kind' | 'amount' | 'email' | 'note'>

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
        note TEXT NOT NULL, status TEXT NOT NULL DEFAULT 'waiting', token TEXT,
        opened INTEGER NOT NULL DEFAULT 0, attempts INTEGER NOT NULL DEFAULT 0,
        paidAt INTEGER, refundFailure TEXT) STRICT;
      CREATE TABLE IF NOT EXISTS parcels (
        requestId TEXT NOT NULL, orderId TEXT NOT NULL, PRIMARY KEY (requestId, orderId)) STRICT;
      CREATE TABLE IF NOT EXISTS refunds (
        requestId TEXT NOT NULL, refundId TEXT NOT NULL, fiatAmount TEXT NOT NULL, status TEXT NOT NULL,
        PRIMARY KEY (requestId, refundId)) STRICT`)
  }

  add({ requestId, kind, amount, email, note }: NewOrder): void {
    this.#run('INSERT INTO orders (requestId, kind, amount, email, note) VALUES (?, ?, ?, ?, ?)', [
      requestId,
      kind,
      amount,
      email,
      JSON.stringify(note),
    ])
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

  /** Those whose payment is not decided, and subscriptions, which never are. */
  open(): string[] {
    return this.#ids("status = 'waiting' OR kind = 'subscription'", [])
  }

  paidSince(sinceMs: number): string[] {
    return this.#ids("status = 'paid' AND paidAt >= ?", [sinceMs])
  }

  attempted(requestId: string): void {
    this.#run('UPDATE orders SET attempts = attempts + 1 WHERE requestId = ?', [requestId])
  }

  opened(requestId: string, token: string | null): void {
    this.#run('UPDATE orders SET opened = 1, token = ? WHERE requestId = ?', [token, requestId])
  }

  decline(requestId: string): void {
    this.#run("UPDATE orders SET status = 'declined' WHERE requestId = ? AND status = 'waiting'", [requestId])
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
      if (failed) this.decline(requestId)
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
      "UPDATE orders SET status = 'paid', opened = 1, paidAt = ? WHERE requestId = ? AND status != 'paid'",
      [nowMs, requestId],
    )
  }

  #ids(condition: string, values: number[]): string[] {
    const rows = this.#database.prepare(`SELECT requestId FROM orders WHERE ${condition}`).all(...values)
    return rows.map(({ requestId }) => String(requestId))
  }

  #run(statement: string, values: (string | number | null)[]): void {
    this.#database.prepare(statement).run(...values)
  }
}

import { DatabaseSync } from 'node:sqlite'
import { z } from 'zod'

/** A wish to buy something. */
export interface NewPurchase {
  readonly id: string
  readonly item: string
  readonly email: string
}

/** The state of a purchase. */
export const purchase = z.object({
  id: z.string(),
  item: z.string(),
  email: z.string(),
  state: z.enum(['waiting', 'shipped', 'declined']),
  reason: z.string().nullable(),
  /** How many have been sent. */
  parcels: z.number(),
})

type Purchase = z.output<typeof purchase>

const twoDaysMs = 2 * 24 * 60 * 60_000

/** The purchases and their fulfilments, in SQLite. */
export class Purchases {
  readonly #database: DatabaseSync

  /** @param file `:memory:`, or where to keep them */
  constructor(file: string) {
    this.#database = new DatabaseSync(file)
    this.#database.exec(`
      CREATE TABLE IF NOT EXISTS purchases (
        id TEXT PRIMARY KEY, item TEXT NOT NULL, email TEXT NOT NULL,
        state TEXT NOT NULL DEFAULT 'waiting', reason TEXT, declined_ms INTEGER) STRICT;
      CREATE TABLE IF NOT EXISTS parcels (purchase TEXT NOT NULL, item TEXT NOT NULL) STRICT`)
  }

  /** Keeps a purchase; one that is there already stays as it is. */
  add({ id, item, email }: NewPurchase): void {
    this.#database
      .prepare('INSERT OR IGNORE INTO purchases (id, item, email) VALUES (?, ?, ?)')
      .run(id, item, email)
  }

  find(id: string): Purchase | undefined {
    const parcels = 'SELECT count(*) FROM parcels WHERE purchase = purchases.id'
    const row = this.#database
      .prepare(`SELECT *, (${parcels}) AS parcels FROM purchases WHERE id = ?`)
      .get(id)
    return row && purchase.parse(row)
  }

  /** Ids of those that may still be paid: a customer may succeed some time after a payment was declined. */
  payable(): string[] {
    const rows = this.#database
      .prepare("SELECT id FROM purchases WHERE state = 'waiting' OR (state = 'declined' AND declined_ms > ?)")
      .all(Date.now() - twoDaysMs)
    return rows.map((row) => String(row.id))
  }

  /** Sends the parcel, once: of two calls at the same time, one is too late. */
  ship(id: string): void {
    this.#database.exec('BEGIN IMMEDIATE')
    try {
      const { changes } = this.#database
        .prepare("UPDATE purchases SET state = 'shipped', reason = NULL WHERE id = ? AND state <> 'shipped'")
        .run(id)
      if (changes === 1)
        this.#database.prepare('INSERT INTO parcels SELECT id, item FROM purchases WHERE id = ?').run(id)
      this.#database.exec('COMMIT')
    } catch (error) {
      this.#database.exec('ROLLBACK')
      throw error
    }
  }

  /** Sends nothing. @param reason the service's error code */
  decline(id: string, reason: string): void {
    this.#database
      .prepare(
        "UPDATE purchases SET state = 'declined', reason = ?, declined_ms = ? WHERE id = ? AND state = 'waiting'",
      )
      .run(reason, Date.now(), id)
  }

  close(): void {
    this.#database.close()
  }
}

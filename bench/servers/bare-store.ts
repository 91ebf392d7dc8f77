import Sqlite from 'better-sqlite3'
import type { CheckoutRequest } from '../../src/api/contract/create-requests.ts'

/** An order as the bare program keeps it. */
export interface BareOrder {
  readonly orderId: string
  readonly token: string
  readonly nowMs: number
  readonly request: CheckoutRequest
}

/** The least that keeps the promises of a create call: an order that is found by its requestId and by its orderId,
 *  its next step, and its webhook, all of them in the database before the answer; the creates of one turn of the
 *  event loop in one transaction. */
export class BareStore {
  readonly #sqlite: Sqlite.Database
  readonly #statements
  #waiting: { order: BareOrder; resolve: () => void; reject: (error: unknown) => void }[] = []

  constructor(file: string) {
    this.#sqlite = new Sqlite(file)
    // As the emulator's store does: in memory, some commits go through all pages.
    if (file === ':memory:') this.#sqlite.pragma('page_size = 16384')
    this.#sqlite.pragma('journal_mode = wal')
    this.#sqlite.pragma('synchronous = normal')
    this.#sqlite.pragma('wal_autocheckpoint = 10000')
    this.#sqlite.exec(schema)
    const prepare = (sql: string) => this.#sqlite.prepare(sql)
    this.#statements = {
      begin: prepare('begin immediate'),
      commit: prepare('commit'),
      rollback: prepare('rollback'),
      order: prepare('insert into orders (order_id, request_id, created_at, fields) values (?, ?, ?, ?)'),
      step: prepare('insert into steps (order_seq, due_at) values (?, ?)'),
      webhook: prepare('insert into webhooks (order_seq, due_at, body) values (?, ?, ?)'),
      find: prepare('select fields from orders where request_id = ?').pluck(),
    }
  }

  create(order: BareOrder): Promise<void> {
    return new Promise((resolve, reject) => {
      if (this.#waiting.push({ order, resolve, reject }) === 1) setImmediate(() => this.#flush())
    })
  }

  /** The fields of an order as JSON, or undefined if there is none. */
  find(requestId: string): unknown {
    return this.#statements.find.get(requestId)
  }

  #flush(): void {
    const waiting = this.#waiting
    this.#waiting = []
    const { begin, commit, rollback } = this.#statements
    begin.run()
    try {
      for (const { order } of waiting) this.#insert(order)
      commit.run()
      for (const { resolve } of waiting) resolve()
    } catch (error) {
      rollback.run()
      for (const { reject } of waiting) reject(error)
    }
  }

  #insert({ orderId, token, nowMs, request }: BareOrder): void {
    const { requestId } = request
    const fields = JSON.stringify({ token, status: 'CREATED', ...request })
    const { lastInsertRowid } = this.#statements.order.run(orderId, requestId, nowMs, fields)
    this.#statements.step.run(lastInsertRowid, nowMs + 5_000)
    const event = { requestId, orderId, clientId: request.clientId, orderStatus: 'CREATED' }
    this.#statements.webhook.run(lastInsertRowid, nowMs, JSON.stringify(event))
  }
}

const schema = `
  create table if not exists orders (
    seq integer primary key, order_id text not null unique, request_id text not null unique,
    created_at integer not null, fields text not null
  ) strict;
  create table if not exists steps (order_seq integer primary key, due_at integer not null) strict;
  create index if not exists steps_due on steps (due_at);
  create table if not exists webhooks (
    seq integer primary key, order_seq integer not null, due_at integer, body text not null
  ) strict;
  create index if not exists webhooks_due on webhooks (due_at);
`

import Sqlite from 'better-sqlite3'
import type { BareEnd } from './bare-outbox.ts'
import type { BareOrder } from './bare-store.ts'

/** How long after its creation an order has its second webhook, as with the emulator. */
const stepMs = 5_000

/** A webhook that was claimed. */
interface BareDue {
  readonly seq: number
  /** Holds the moment it is due, see `bareDueAt`. */
  readonly id: string
}

/** What has come together since the last turn. */
interface BareTurn {
  readonly nowMs: number
  readonly created: readonly BareOrder[]
  readonly ended: readonly BareEnd[]
  /** How many webhooks may go. */
  readonly free: number
}

/** The least that keeps the promises of orders and their webhooks: an order is in the database with its step and its
 *  first webhook before it is answered; each attempt before it leaves, and once more when it has been answered. What
 *  comes together shares a transaction. */
export class BareLives {
  readonly #sqlite: Sqlite.Database
  readonly #statements

  constructor(file: string) {
    const sqlite = new Sqlite(file)
    sqlite.pragma('journal_mode = wal')
    sqlite.pragma('synchronous = normal')
    // One of ten thousand pages would hold up a tenth of a second of webhooks: see `rest`.
    sqlite.pragma('wal_autocheckpoint = 0')
    sqlite.pragma('locking_mode = exclusive')
    sqlite.exec(schema)
    this.#sqlite = sqlite
    const prepare = (sql: string) => sqlite.prepare(sql)
    this.#statements = {
      begin: prepare('begin immediate'),
      commit: prepare('commit'),
      order: prepare('insert into orders (order_id, request_id, created_at, fields) values (?, ?, ?, ?)'),
      step: prepare('insert into steps (order_seq, due_at) values (?, ?)'),
      dueSteps: sqlite.prepare<[nowMs: number], { order_seq: number; due_at: number }>(
        'select order_seq, due_at from steps where due_at <= ? order by due_at',
      ),
      completed: prepare(`update orders set status = 'COMPLETED' where seq = ?`),
      stepDone: prepare('delete from steps where order_seq = ?'),
      nextStep: sqlite.prepare<[], number | null>('select min(due_at) from steps').pluck(),
      webhook: prepare(
        'insert into webhooks (order_seq, due_at, id, body, room) values (?, ?, ?, ?, zeroblob(300))',
      ),
      due: sqlite.prepare<[nowMs: number, limit: number], BareDue>(
        `select seq, id from webhooks where status = 'pending' and in_flight = 0 and due_at <= ?
         order by due_at, seq limit ?`,
      ),
      claim: prepare(
        'update webhooks set in_flight = 1, attempt = attempt + 1, began_at = ?, room = null where seq = ?',
      ),
      end: prepare(
        `update webhooks set in_flight = 0, status = 'delivered', ms = ?, answer = ?, headers = ? where seq = ?`,
      ),
    }
  }

  /** Keeps all of it. @returns what may go now */
  turn({ nowMs, created, ended, free }: BareTurn, body: string): BareDue[] {
    const { begin, commit, due, claim, end, dueSteps, completed, stepDone } = this.#statements
    begin.run()
    for (const order of created) this.#insert(order, body)
    for (const { seq, status, ms, headers } of ended) end.run(ms, status, JSON.stringify(headers), seq)
    for (const { order_seq, due_at } of dueSteps.all(nowMs)) {
      completed.run(order_seq)
      stepDone.run(order_seq)
      this.#webhook(order_seq, due_at, 2, body)
    }
    const claimed = due.all(nowMs, free)
    for (const { seq } of claimed) claim.run(nowMs, seq)
    commit.run()
    return claimed
  }

  /** When the next step is due, or null. */
  nextDueAt(): number | null {
    return this.#statements.nextStep.get() ?? null
  }

  /** Moves the log into the file, while nobody waits for anything. */
  rest(): void {
    this.#sqlite.pragma('wal_checkpoint(truncate)')
  }

  #insert({ orderId, token, nowMs, request }: BareOrder, body: string): void {
    const fields = JSON.stringify({ token, ...request })
    const { lastInsertRowid } = this.#statements.order.run(orderId, request.requestId, nowMs, fields)
    this.#statements.step.run(lastInsertRowid, nowMs + stepMs)
    this.#webhook(Number(lastInsertRowid), nowMs, 1, body)
  }

  #webhook(orderSeq: number, dueAt: number, number: number, body: string): void {
    this.#statements.webhook.run(orderSeq, dueAt, `msg_${dueAt}_${orderSeq}_${number}`, body)
  }
}

/** When the webhook with an id of the bare program's was due. */
export const bareDueAt = (webhookId: string): number => Number(webhookId.split('_')[1])

const schema = `
  create table orders (
    seq integer primary key, order_id text not null unique, request_id text not null unique,
    created_at integer not null, status text not null default 'CREATED', fields text not null
  ) strict;
  create table steps (order_seq integer primary key, due_at integer not null) strict;
  create index steps_due on steps (due_at);
  create table webhooks (
    seq integer primary key, order_seq integer not null, due_at integer not null, in_flight integer not null default 0,
    status text not null default 'pending', attempt integer not null default 0, id text not null, body text not null,
    began_at integer, ms real, answer integer, headers text, room blob
  ) strict;
  create index webhooks_due on webhooks (in_flight, due_at) where status = 'pending';
`

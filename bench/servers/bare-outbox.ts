import Sqlite from 'better-sqlite3'

/** A webhook that was claimed. */
export interface BareWebhook {
  readonly seq: number
  readonly id: string
  readonly body: string
}

/** How its attempt ended. */
export interface BareEnd {
  readonly seq: number
  readonly status: number
  readonly ms: number
  readonly headers: Readonly<Record<string, string>>
}

/** The least that keeps the promises of a webhook: each attempt is in the database before it leaves, and once more when
 *  it has been answered; what is known at one moment shares a transaction. */
export class BareOutbox {
  readonly #statements

  constructor(file: string) {
    const sqlite = new Sqlite(file)
    sqlite.pragma('journal_mode = wal')
    sqlite.pragma('synchronous = normal')
    sqlite.pragma('wal_autocheckpoint = 10000')
    sqlite.pragma('locking_mode = exclusive')
    sqlite.exec(schema)
    const prepare = (sql: string) => sqlite.prepare(sql)
    this.#statements = {
      begin: prepare('begin immediate'),
      commit: prepare('commit'),
      add: prepare('insert into webhooks (due_at, id, body, room) values (?, ?, ?, zeroblob(300))'),
      due: sqlite.prepare<[nowMs: number, limit: number], BareWebhook>(
        `select seq, id, body from webhooks where status = 'pending' and in_flight = 0 and due_at <= ?
         order by due_at, seq limit ?`,
      ),
      claim: prepare(
        'update webhooks set in_flight = 1, attempt = attempt + 1, url = ?, began_at = ?, room = null where seq = ?',
      ),
      end: prepare(
        `update webhooks set in_flight = 0, status = 'delivered', ms = ?, answer = ?, headers = ? where seq = ?`,
      ),
    }
  }

  /** Makes webhooks that are due. */
  fill(count: number, nowMs: number, body: string): void {
    const { begin, commit, add } = this.#statements
    begin.run()
    for (let n = 0; n < count; n++) add.run(nowMs, `msg_01a2007e16fb76878fd32ce38294cdf5_${n}`, body)
    commit.run()
  }

  /** Records what has ended and claims what may go, in one transaction. */
  turn(ended: readonly BareEnd[], url: string, nowMs: number, limit: number): BareWebhook[] {
    const { begin, commit, due, claim, end } = this.#statements
    begin.run()
    for (const { seq, status, ms, headers } of ended) end.run(ms, status, JSON.stringify(headers), seq)
    const claimed = due.all(nowMs, limit)
    for (const { seq } of claimed) claim.run(url, nowMs, seq)
    commit.run()
    return claimed
  }
}

const schema = `
  create table webhooks (
    seq integer primary key, due_at integer not null, in_flight integer not null default 0,
    status text not null default 'pending', attempt integer not null default 0, id text not null, body text not null,
    url text, began_at integer, ms real, answer integer, headers text, room blob
  ) strict;
  create index webhooks_due on webhooks (in_flight, due_at) where status = 'pending';
`

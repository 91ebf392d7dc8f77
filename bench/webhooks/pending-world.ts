import Sqlite from 'better-sqlite3'
import { roomForAttempt } from '../../src/store/sqlite/attempts.ts'
import { addFunctions } from '../../src/store/sqlite/functions.ts'

/** Copies the first order of a database with its first webhook `count` times, each with a step ahead and the webhook
 *  pending. Nothing may have the file open.
 *  @param dueAt of the first, epoch milliseconds; each other one is due a millisecond later */
export function addPending(file: string, count: number, dueAt: number): void {
  const sqlite = new Sqlite(file)
  addFunctions(sqlite)
  const copied = (table: string, changed: Readonly<Record<string, string>>) => {
    const names = sqlite.prepare<[], string>(`select name from pragma_table_info('${table}')`).pluck().all()
    sqlite.exec(`
      with recursive numbers(copy) as (select 1 union all select copy + 1 from numbers where copy < ${count})
      insert into ${table} (${names}) select ${names.map((name) => changed[name] ?? name)}
      from (select * from ${table} order by seq limit 1), numbers order by copy`)
  }
  // The ids of a webhook hold that of its order, and so both begin with the same number.
  const number = "printf('%08x', copy)"
  const order = {
    order_id: `${number} || substr(order_id, 9)`,
    request_id: `request_id || '-' || copy`,
  }
  sqlite.pragma('foreign_keys = off')
  sqlite.transaction(() => {
    const [orders, webhooks] = ['orders', 'deliveries'].map((table) =>
      Number(sqlite.prepare(`select max(seq) from ${table}`).pluck().get()),
    )
    copied('orders', {
      ...order,
      seq: `${orders} + copy`,
      id_key: `order_key(client_id, request_id || '-' || copy)`,
      token: `${number} || substr(token, 9)`,
      next_due_at: `${dueAt} + copy`,
    })
    copied('deliveries', {
      ...order,
      seq: `${webhooks} + copy`,
      order_seq: `${orders} + copy`,
      id: `'del_' || ${number} || substr(id, 13)`,
      webhook_id: `'msg_' || ${number} || substr(webhook_id, 13)`,
      ...{ status: `'pending'`, in_flight: '0', blocking: '1', attempt: '0', url: 'null' },
      ...{ attempt_at: 'null', attempt_wall_at: 'null', outcome: 'null', answer_status: 'null' },
      ...{ attempt_ms: 'null', request_headers: 'null', response_body: 'null', attempt_error: 'null' },
      room: `zeroblob(${roomForAttempt.length})`,
      due_at: `${dueAt} + copy`,
    })
  })()
  sqlite.pragma('wal_checkpoint(truncate)')
  sqlite.close()
}

/** Makes all pending webhooks due. Nothing may have the file open. */
export function makeDue(file: string, at: number): void {
  const sqlite = new Sqlite(file)
  addFunctions(sqlite)
  sqlite.exec(`update deliveries set due_at = ${at} where status = 'pending'`)
  sqlite.pragma('wal_checkpoint(truncate)')
  sqlite.close()
}

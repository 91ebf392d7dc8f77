import Sqlite from 'better-sqlite3'
import { eventIds, orderIds } from '../src/domain/ids.ts'
import { orderKey } from '../src/domain/order-key.ts'
import { requestId } from './load/requests.ts'

type Row = Readonly<Record<string, unknown>>

/** Committed at once. */
const part = 50_000

/** Fills a database with copies of its one order, as create calls would have left them, in a twentieth of the time.
 *  Nothing may have the file open.
 *  @param first the number of the first copy's request; they are dealt out so that orders of neighbouring numbers lie
 *    far apart, and a few thousand numbers lead everywhere */
export function growWorld(file: string, { first, count }: { first: number; count: number }): void {
  const sqlite = new Sqlite(file)
  // Whoever kills this can begin anew.
  for (const quick of [
    'journal_mode = off',
    'synchronous = off',
    'foreign_keys = off',
    'cache_size = -1000000',
  ])
    sqlite.pragma(quick)
  const copy = copier(sqlite)
  for (let place = 0; place < count; place++) {
    if (place % part === 0) sqlite.exec(place === 0 ? 'begin' : 'commit; begin')
    copy(requestId(first + ((place * stride) % count)))
  }
  sqlite.exec('insert or replace into order_keys_bound select 1, max(seq) from orders; commit')
  sqlite.close()
}

/** A prime, and so no divisor of the counts that people choose. */
const stride = 7_919

function copier(sqlite: Sqlite.Database): (requestId: string) => void {
  const order = sqlite.prepare<[], Row>('select * from orders').get() ?? {}
  const deliveries = sqlite.prepare<[], Row>('select * from deliveries').all()
  const insertOrder = inserter(sqlite, 'orders', order)
  const insertDelivery = inserter(sqlite, 'deliveries', deliveries[0] ?? {})
  const insertKey = sqlite.prepare<[string, number]>('insert into order_keys values (?, ?)')
  const [clientId, createdAt] = [String(order.client_id), Number(order.created_at)]
  return (requestId) => {
    const { orderId, token } = orderIds('growth', clientId, requestId, 1, createdAt)
    const ids = { order_id: orderId, request_id: requestId }
    const key = orderKey(clientId, requestId)
    const orderSeq = insertOrder({ ...order, ...ids, token, id_key: key })
    insertKey.run(key, orderSeq)
    for (const delivery of deliveries) {
      const { id, webhookId } = eventIds(orderId, Number(delivery.sequence))
      insertDelivery({ ...delivery, ...ids, order_seq: orderSeq, id, webhook_id: webhookId })
    }
  }
}

/** @returns how to insert rows with the columns of `like`, but for `seq`, which it answers */
function inserter(sqlite: Sqlite.Database, table: string, like: Row): (row: Row) => number {
  const names = Object.keys(like).filter((name) => name !== 'seq')
  if (names.length === 0) return () => 0
  const insert = sqlite.prepare<[Row]>(
    `insert into ${table} (${names}) values (${names.map((name) => `:${name}`)})`,
  )
  return (row) => Number(insert.run(row).lastInsertRowid)
}

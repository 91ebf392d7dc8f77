import Sqlite from 'better-sqlite3'
import { addFunctions } from '../src/store/sqlite/functions.ts'

/** Makes a database large: copies each order with its deliveries and attempts, under ids of their own, until there are
 *  `count` of them, and the client's record until there are `clients`. Orders take the clients in turn, but one in
 *  two stays with the first. Nothing may have the file open.
 *  @returns the requestIds of the first and of the last copy */
export function enlarge(file: string, count: number, clients: number): void {
  const sqlite = new Sqlite(file)
  addFunctions(sqlite)
  const numbers = (most: number) =>
    `(with recursive numbers(copy) as (select 1 union all select copy + 1 from numbers where copy < ${most})
      select copy from numbers)`
  const number = (sql: string) => Number(sqlite.prepare(sql).pluck().get())
  const orders = number('select max(seq) from orders')
  const deliveries = number('select max(seq) from deliveries')
  const copies = Math.ceil(count / orders) - 1
  const clientOf = (seq: string) =>
    `iif(${seq} % 2 = 0, client_id, 'client-' || (1 + (copy * ${orders} + ${seq}) % ${clients - 1}))`
  // The ids of a delivery hold that of its order, and so both begin with the same number.
  const idOf = (seq: string) => `printf('%08x', copy * ${orders} + ${seq})`
  const copied = (table: string, changed: Readonly<Record<string, string>>, from = table) => {
    const names = sqlite.prepare<[], string>(`select name from pragma_table_info('${table}')`).pluck().all()
    const values = names.map((name) => changed[name] ?? name)
    const most = table === 'clients' ? clients - 1 : copies
    sqlite.exec(
      `insert into ${table} (${names}) select ${values} from ${from}, ${numbers(most)} order by copy`,
    )
  }
  const seq = (of: number) => `seq + copy * ${of}`
  sqlite.pragma('foreign_keys = off')
  sqlite.transaction(() => {
    copied('attempts', { delivery_seq: `delivery_seq + copy * ${deliveries}` })
    copied('deliveries', {
      seq: seq(deliveries),
      order_seq: `order_seq + copy * ${orders}`,
      client_id: clientOf('order_seq'),
      order_id: `${idOf('order_seq')} || substr(order_id, 9)`,
      id: `'del_' || ${idOf('order_seq')} || substr(id, 13)`,
      webhook_id: `webhook_id || '-' || copy`,
      request_id: `request_id || '-' || copy`,
    })
    copied('orders', {
      seq: seq(orders),
      client_id: clientOf('seq'),
      order_id: `${idOf('seq')} || substr(order_id, 9)`,
      request_id: `request_id || '-' || copy`,
      id_key: `order_key(${clientOf('seq')}, request_id || '-' || copy)`,
      token: `token || copy`,
      email: `'buyer' || (copy * ${orders} + seq) || '@example.com'`,
      order_status: `iif(order_status = 'FAILED' and copy % ${Math.ceil(copies / 2)} <> 0, 'COMPLETED', order_status)`,
    })
    copied(
      'clients',
      { seq: 'seq + copy', client_id: `'client-' || copy`, access_token: `access_token || '-' || copy` },
      '(select * from clients order by seq limit 1)',
    )
  })()
  sqlite.pragma('wal_checkpoint(truncate)')
  sqlite.close()
}

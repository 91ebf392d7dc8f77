import { type SQL, sql } from 'drizzle-orm'
import type { Connection } from './connection.ts'

// An order is found by the key that its ids end with (`orderKey`). An id that does not end so is found through an index
// of its own kind: that of a later charge, one that a fixture gave, one of an earlier version of this program.

/** The condition under which an order has an orderId that does not end with its key. */
export const hasOwnId = `(charge > 1 or substr(order_id, 29) <> id_key)`

/** The opposite of `hasOwnId`, of an order that is not stored yet. */
export const endsWithKey = ({ orderId, charge, idKey }: { orderId: string; charge: number; idKey: string }) =>
  charge === 1 && orderId.slice(28) === idKey

/** The same as `hasOwnId` of its token. */
export const hasOwnToken = `(charge > 1 or substr(token, 29) <> id_key)`

/** The orders with a key, and perhaps another (see `OrderKeys`), as a `(select order_seq …)`. */
const ordersWith = (key: SQL): SQL =>
  sql`(select order_seq from order_keys where id_key = ${key} union all select waiting_order(${key}))`

/** The same for statements that are written as text. */
const ordersWithKey = (key: string): string =>
  `(select order_seq from order_keys where id_key = ${key} union all select waiting_order(${key}))`

/** The same of so many of the newest. */
export const newestWithKey = (key: string, count: string): string =>
  `(select order_seq from order_keys where id_key = ${key} and order_seq > coalesce(
      (select order_seq from order_keys where id_key = ${key} order by order_seq desc limit 1 offset ${count}), 0)
    union all select waiting_order(${key}))`

const found = (column: 'order_id' | 'token', hasOwn: string) => {
  const own = sql.raw(`${hasOwn} and ${column}`)
  const named = sql.raw(column)
  return {
    is: (id: SQL) =>
      sql`(seq in ${ordersWith(sql`substr(${id}, 29)`)} and ${named} = ${id} or ${own} = ${id})`,
    isIn: (ids: SQL) => sql`(seq in (
      select order_seq from order_keys where id_key in (select substr(value, 29) from ${ids})
      union all select waiting_order(substr(value, 29)) from ${ids}
    ) and ${named} in ${ids} or ${own} in ${ids})`,
  }
}

/** The condition that an order has this orderId, or, with a `(select value …)`, one of several. To stand in a query of
 *  orders alone. */
export const orderId = found('order_id', hasOwnId)

/** The same of its token. */
export const orderToken = found('token', hasOwnToken)

/** The orders under a requestId, whosever they are, as a `(select seq …)`. */
export const ordersUnder = (requestId: SQL): SQL => sql`(
  select seq from orders
  where request_id = ${requestId} and seq in (
    select order_seq from order_keys
    where id_key between key_beginning(${requestId}) || '000' and key_beginning(${requestId}) || 'fff'
    union all select value from json_each(waiting_orders(key_beginning(${requestId})))
  )
)`

/** The same as `orderId.is`, for statements that are written as text.
 *  @param id a parameter of theirs */
export const isOrderId = (id = ':orderId'): string =>
  `(seq in ${ordersWithKey(`substr(${id}, 29)`)} and order_id = +${id} or ${hasOwnId} and order_id = +${id})`

/** Finds the `seq` of an order by its orderId. */
export function orderFinder({ sqlite, orderKeys }: Connection): (orderId: string) => number | undefined {
  // Nearly all orders are found in one of the first two ways.
  const isAt = sqlite
    .prepare<[seq: number, orderId: string], number>('select seq from orders where seq = ? and order_id = +?')
    .pluck()
  const byKey = sqlite
    .prepare<[key: string, orderId: string], number>(
      `select seq from order_keys join orders on seq = order_seq
       where order_keys.id_key = +? and order_id = +?`,
    )
    .pluck()
  const byOwnId = sqlite
    .prepare<[orderId: string], number>(`select seq from orders where ${hasOwnId} and order_id = +?`)
    .pluck()
  return (orderId) => {
    const key = orderId.slice(28)
    const waiting = orderKeys.waiting(key)
    const found = waiting === undefined ? byKey.get(key, orderId) : isAt.get(waiting, orderId)
    return found ?? byOwnId.get(orderId)
  }
}

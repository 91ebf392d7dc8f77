import type { Database } from 'better-sqlite3'
import { type SQL, sql } from 'drizzle-orm'

// An order is found by the key that its ids end with (`orderKey`). An id that does not end so is found through an index
// of its own kind: that of a later charge, one that a fixture gave, one of an earlier version of this program.

/** The condition under which an order has an orderId that does not end with its key. */
export const hasOwnId = `(charge > 1 or substr(order_id, 29) <> id_key)`

/** The opposite of `hasOwnId`, of an order that is not stored yet. */
export const endsWithKey = ({ orderId, charge, idKey }: { orderId: string; charge: number; idKey: string }) =>
  charge === 1 && orderId.slice(28) === idKey

/** The same as `hasOwnId` of its token. */
export const hasOwnToken = `(charge > 1 or substr(token, 29) <> id_key)`

const found = (column: 'order_id' | 'token', hasOwn: string) => {
  const byKey = (key: SQL, id: SQL) =>
    sql`(id_key ${key} and charge = 1 and ${sql.raw(column)} ${id} or ${sql.raw(`${hasOwn} and ${column}`)} ${id})`
  return {
    is: (id: SQL) => byKey(sql`= substr(${id}, 29)`, sql`= ${id}`),
    isIn: (ids: SQL) => byKey(sql`in (select substr(value, 29) from ${ids})`, sql`in ${ids}`),
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
  where id_key between key_beginning(${requestId}) || '000' and key_beginning(${requestId}) || 'fff'
    and request_id = ${requestId}
)`

/** The same as `orderId.is`, for statements that are written as text.
 *  @param id a parameter of theirs */
export const isOrderId = (id = ':orderId'): string =>
  `(id_key = substr(${id}, 29) and charge = 1 and order_id = +${id} or ${hasOwnId} and order_id = +${id})`

/** Finds the `seq` of an order by its orderId. */
export function orderFinder(sqlite: Database): (orderId: string) => number | undefined {
  // Nearly all orders are found so.
  const byKey = sqlite
    .prepare<[idKey: string, orderId: string], number>(
      'select seq from orders where id_key = +? and charge = 1 and order_id = +?',
    )
    .pluck()
  const byOwnId = sqlite
    .prepare<[orderId: string], number>(`select seq from orders where ${hasOwnId} and order_id = +?`)
    .pluck()
  return (orderId) => byKey.get(orderId.slice(28), orderId) ?? byOwnId.get(orderId)
}

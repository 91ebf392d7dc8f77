import type { Database } from 'better-sqlite3'

/** Where the groups of an orderId stand within the id that `eventIds` gives to a delivery. */
const groups = [
  { start: 4, length: 8 },
  { start: 12, length: 4 },
  { start: 16, length: 4 },
  { start: 20, length: 4 },
  { start: 24, length: 12 },
]

/** The orderId within such an id; of any other id, nonsense. */
const orderIdIn = (id: string) => groups.map(({ start, length }) => id.slice(start, start + length)).join('-')

/** The same in SQL, of a column. */
const orderIdInColumn = groups
  .map(({ start, length }) => `substr(id, ${start + 1}, ${length})`)
  .join(` || '-' || `)

/** The condition under which a delivery is found through its order, as nearly all of them are. No index holds their
 *  ids: those of one moment are as good as random, and each would touch a page of its own. */
export const foundByOrder = `(order_seq is not null and order_id = ${orderIdInColumn})`

/** Finds the `seq` of a delivery by its id: through its order, or in the index over all others. */
export function deliveryFinder(sqlite: Database): (id: string) => number | undefined {
  const found = sqlite
    .prepare<[{ orderId: string; id: string }], number>(
      `select seq from deliveries where order_seq = (select seq from orders where order_id = :orderId) and id = +:id
       union all
       select seq from deliveries where id = +:id and not ${foundByOrder}`,
    )
    .pluck()
  return (id) => found.get({ orderId: orderIdIn(id), id })
}

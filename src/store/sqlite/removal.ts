import type { Connection } from './connection.ts'
import type { Part } from './writer.ts'

/** Orders, or rows of another table, that are removed without serving requests in between. */
const atOnce = 200

/** What belongs to a client's world beside orders and deliveries. */
const owned = ['tokens', 'bindings', 'faults', 'answer_counts', 'requests'] as const

interface Removed {
  readonly clientIds: readonly string[] | 'all'
  /** Whether the clients go too, or only their worlds. */
  readonly clients: boolean
}

/** Removes the worlds of some clients or of all. Ignores unknown clients. The event loop gets a turn only if there is
 *  more to remove. */
export async function removeWorlds(connection: Connection, part: Part, which: Removed): Promise<void> {
  const removal = removalOf(connection, which)
  for (let { done } = removal.next(); !done; ) ({ done } = await part(() => removal.next()))
}

/** Stops after every `atOnce` rows. */
function* removalOf({ run }: Connection, { clientIds, clients }: Removed): Generator<undefined, void> {
  const mine = clientIds === 'all' ? 'true' : 'client_id = ?'
  const firstOrders = `select seq from orders where ${mine} order by seq limit ?`
  const firstOf = (table: string, which = mine) =>
    `delete from ${table} where rowid in (select rowid from ${table} where ${which} limit ?)`
  // The last text of a step tells how many it has removed.
  const steps = [
    // By their orders, because no index leads from a client to its deliveries. Attempts go with their deliveries.
    [
      `delete from deliveries where order_seq in (${firstOrders})`,
      `delete from orders where seq in (${firstOrders})`,
    ],
    [firstOf('deliveries', `order_seq is null and ${mine}`)],
    ...owned.map((table) => [firstOf(table)]),
    // Last, because the others refer to them.
    ...(clients ? [[firstOf('clients')]] : []),
  ]
  let left = atOnce
  for (const whose of clientIds === 'all' ? [[]] : clientIds.map((clientId) => [clientId]))
    for (const texts of steps)
      for (;;) {
        let removed = 0
        for (const text of texts) removed = run(text, ...whose, left)
        left -= removed
        if (left > 0) break
        yield
        left = atOnce
      }
}

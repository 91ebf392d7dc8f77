import type { Generations, Store } from '../store.ts'
import { nextGeneration, refuseUnknown } from './clients.ts'
import { countsOf } from './counting.ts'
import { prunedRequests } from './requests.ts'
import { selector } from './rows.ts'
import { world } from './schema.ts'
import type { Connection, Part } from './writer.ts'

/** The number of rows removed without serving requests in between. */
const atOnce = 200

/** The tables of a client's data beside orders and deliveries. */
const owned = ['tokens', 'bindings', 'faults', 'answer_counts', 'requests'] as const

interface Removed {
  readonly clientIds: readonly string[] | 'all'
  /** Whether the clients go too, or only their data. */
  readonly clients: boolean
}

/** Removes the data of some clients or of all clients; ignores unknown ones. The event loop gets a turn if there is
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
  // The last statement of a step returns the number of removed rows.
  const steps = [
    // Deliveries are found by their orders, because no index leads from a client to them. Attempts are removed with
    // their deliveries.
    [
      `delete from deliveries where order_seq in (${firstOrders})`,
      `delete from orders where seq in (${firstOrders})`,
    ],
    [firstOf('deliveries', `order_seq is null and ${mine}`)],
    ...owned.map((table) => [firstOf(table)]),
    // What was counted is gone by now.
    [firstOf('status_counts', `count = 0 and ${mine}`)],
    // Clients are removed last, because the other tables refer to them.
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

/** The verbs that concern all data, or all of a client. */
export function worldVerbs(connection: Connection) {
  const { sqlite, run, value, read, write, writeInParts } = connection
  const settings = selector(sqlite, { common: world.settings })('')

  return {
    begin: (proposed) =>
      write(() => {
        recover(connection)
        return value<string>('update world set seed = coalesce(seed, ?) returning seed', proposed) ?? proposed
      }),

    deleteClient: (clientId) =>
      writeInParts(async (part) => {
        refuseUnknown(connection, clientId)
        await removeWorlds(connection, part, { clientIds: [clientId], clients: true })
      }),

    reset: ({ clientId, clients, scenarios }) =>
      writeInParts(async (part) => {
        if (scenarios) run('delete from scenario_texts')
        await removeWorlds(connection, part, {
          clientIds: clientId === undefined ? 'all' : [clientId],
          clients,
        })
        if (clientId === undefined) run(`update world set planned_faults = 0, settings = '{}'`)
        return renewed(connection, clientId)
      }),

    commonSettings: () => read(() => settings()[0]?.common ?? {}),

    saveCommonSettings: (common) =>
      write(() => void run('update world set settings = ?', JSON.stringify(common))),

    backlog: (clientId) =>
      read(() => {
        const mine = clientId === undefined ? '' : 'and client_id = +:clientId'
        // Each walks an index that holds nothing but the counted rows.
        const count = (things: string) =>
          value<number>(`select count(*) from ${things} ${mine}`, { clientId }) ?? 0
        return {
          orders: count('orders where true'),
          pendingDeliveries: count(`deliveries where status = 'pending'`),
          heldDeliveries: count(`deliveries where status = 'held'`),
          ...(clientId === undefined
            ? { keptRequests: count('requests where true'), prunedRequests: prunedRequests(connection) }
            : { keptRequests: null, prunedRequests: null }),
        }
      }),

    counts: () => read(() => countsOf(connection)),
  } satisfies Partial<Store>
}

/** Ends work that a crash left open. Worded so that both find their rows through the index over pending deliveries. */
function recover({ run, values }: Connection): void {
  for (const clientId of values<string>('select client_id from clients')) {
    run(landed, clientId)
    run(answered, clientId)
  }
}

const landed = `
  update deliveries set in_flight = 0 where status = 'pending' and client_id = ? and in_flight = 1`

const answered = `
  update deliveries set due_at = created_at + coalesce(plan ->> '$.delayMs', 0)
  where status = 'pending' and client_id = ? and in_flight = 0 and due_at is null`

// ---- resets -----------------------------------------------------------------------------------------

/** Gives a client, or all clients, a new generation after a reset. */
function renewed(connection: Connection, clientId: string | undefined): Generations {
  const { run, values } = connection
  const which = 'select client_id from clients where :clientId is null or client_id = :clientId'
  // Scenario effects on tokens end with their orders.
  const renew = `
    update clients set generation = ?, own_token_expired = 0, tokens_refused_until = null, planned_faults = 0
    where client_id = ?`
  return new Map(
    values<string>(which, { clientId: clientId ?? null }).map((each) => {
      const generation = nextGeneration(connection)
      run(renew, generation, each)
      return [each, generation]
    }),
  )
}

import type { Database } from 'better-sqlite3'
import { getTableColumns, getTableName } from 'drizzle-orm'
import type { SQLiteTable } from 'drizzle-orm/sqlite-core'
import {
  type AnswerCount,
  blocksAtFirst,
  type CommonWorld,
  type WorldDelivery,
  type WorldPart,
} from '../../domain/fixture/world.ts'
import type { Store } from '../store.ts'
import { clientColumns, toClient } from './clients.ts'
import { type DeliveryRow, deliveryPresenter } from './deliveries.ts'
import { toOrder } from './orders.ts'
import { selector } from './rows.ts'
import * as schema from './schema.ts'
import type { Connection } from './writer.ts'
import { nextTurn } from './writer.ts'

/** The number of rows read without serving requests in between. */
const rowsAtOnce = 200

/** The number of orders scanned at once for the scenarios that they follow. */
const batchSize = 2_000

/** Snapshots by copy on write. Taking one copies only small tables. While it is open, triggers save each other row
 *  before its first change, and reading combines current and saved rows. It works alike in memory and in a file, and
 *  needs as much space as the rows that change. */
export function snapshotVerbs(connection: Connection) {
  const { sqlite, write } = connection
  // Saved rows stay in memory: with temporary files, a full disk would fail the writes of other clients.
  sqlite.pragma('temp_store = memory')
  let taken = 0
  return {
    snapshot: async (clientId) => {
      const number = ++taken
      const parts = await write(() => {
        const begun = partsOf(connection, number, clientId)
        begun.next()
        return begun
      })
      const iterator: AsyncIterableIterator<WorldPart, undefined> = {
        // Bypasses the queue of verbs. At any time it reads the same, and the verb that it would wait for may be a
        // `load` of this snapshot.
        next: async () => {
          await nextTurn()
          return parts.next()
        },
        return: async () => parts.return(undefined),
        [Symbol.asyncIterator]: () => iterator,
      }
      return iterator
    },
  } satisfies Partial<Store>
}

/** The first call of `next`, as part of a write, fixes the time of the snapshot and yields nothing. */
function* partsOf(
  connection: Connection,
  number: number,
  clientId: string | undefined,
): Generator<WorldPart, undefined> {
  const { sqlite, read } = connection
  const kept = (table: SQLiteTable, parent?: string) => keptTable(connection, number, table, clientId, parent)
  const tables = {
    answerCounts: kept(schema.answerCounts),
    orders: kept(schema.orders),
    deliveries: kept(schema.deliveries, 'order_seq'),
    attempts: kept(schema.attempts, 'delivery_seq'),
    requests: kept(schema.requests),
  }
  try {
    for (const { begin } of Object.values(tables)) sqlite.exec(begin)
    const { first, second } = smallParts(sqlite, clientId)
    yield {}
    yield first
    const firstDelivery = yield* scenarioParts(sqlite, tables)
    yield second
    yield* answerCountParts(sqlite, tables)
    yield* orderParts(sqlite, tables, firstDelivery)
    yield* requestParts(sqlite, tables)
    return undefined
  } finally {
    const end = () => {
      for (const { end } of Object.values(tables)) sqlite.exec(end)
    }
    // A read runs even if writes beside it fail: nothing of the database changes. Nothing waits for it, because the
    // verb before it may be a `load` of this snapshot. A closed store has nothing left to end.
    read(end).catch(() => undefined)
  }
}

// ---- the parts --------------------------------------------------------------------------------------

/** The parts that are read at once: the first part, and the planned scenarios and faults. */
function smallParts(sqlite: Database, clientId: string | undefined): { first: WorldPart; second: WorldPart } {
  const whose = clientId === undefined ? [] : [clientId]
  const mine = clientId === undefined ? 'order by seq' : 'where client_id = ? order by seq'
  const clientRows = selector(sqlite, clientColumns)(mine)(...whose)
  const tokenRows = selector(sqlite, getTableColumns(schema.tokens))(mine)(...whose)
  const bindingRows = selector(sqlite, getTableColumns(schema.bindings))(mine)(...whose)
  const faultRows = selector(sqlite, getTableColumns(schema.faults))(mine)(...whose)
  return {
    first: {
      ...(clientId === undefined ? { common: commonOf(sqlite) } : {}),
      clients: clientRows.map((row) => ({ ...toClient(row), plannedFaults: row.plannedFaults })),
      tokens: tokenRows.map(({ seq: _, ...token }) => token),
    },
    second: {
      bindings: bindingRows.map(({ seq: _, ...binding }) => binding),
      faults: faultRows.map(({ seq: place, fault, ...row }) => ({ ...row, ...fault, place })),
    },
  }
}

function commonOf(sqlite: Database): CommonWorld {
  const [row] = selector(sqlite, getTableColumns(schema.world))('')()
  const texts = selector(sqlite, getTableColumns(schema.scenarioTexts))('order by id')()
  const { seed = null, settings = {}, plannedFaults = 0, prunedRequests = 0 } = row ?? {}
  return { seed: seed ?? '', settings, scenarioTexts: texts, plannedFaults, prunedRequests }
}

/** Yields the scenario parts of a snapshot.
 *  @returns which delivery came first */
function* scenarioParts(sqlite: Database, { orders, deliveries }: Tables): Generator<WorldPart, number> {
  const look = sqlite.prepare<[number], { last: number | null; seqs: string; versions: string }>(
    `select max(seq) as last, json_group_array(seq) as seqs,
       json_group_array(distinct scenario_version) as versions
     from (select seq, scenario_version from ${orders.rows} where seq > ? order by seq limit ${batchSize})`,
  )
  const firstOf = (which: string) =>
    sqlite
      .prepare<string[], number | null>(`select min(seq) from ${deliveries.rows} where order_seq ${which}`)
      .pluck()
  const select = selector(sqlite, getTableColumns(schema.scenarioVersions))
  const versionsIn = select('where version in (select value from json_each(?))')
  const firstIn = firstOf('in (select value from json_each(?))')
  const known = new Set<string>()
  let first = firstOf('is null').get() ?? Number.POSITIVE_INFINITY
  for (let part = look.get(0); part?.last; part = look.get(part.last)) {
    const found = versionsIn(part.versions).filter(({ version }) => !known.has(version))
    for (const { version } of found) known.add(version)
    yield {
      scenarios: found.map(({ scenarioJson, ...version }) => {
        const scenario: object = JSON.parse(scenarioJson)
        return { ...version, scenario }
      }),
    }
    first = Math.min(first, firstIn.get(part.seqs) ?? first)
  }
  return first
}

function* answerCountParts(sqlite: Database, { answerCounts }: Tables): Generator<WorldPart> {
  const next = sqlite.prepare<[number], AnswerCount & { seq: number }>(
    `select seq, client_id as clientId, request_id as requestId, scenario_id as scenarioId, rule, calls, since
     from ${answerCounts.rows} where ${page}`,
  )
  for (const rows of pages((after) => next.all(after)))
    yield { answerCounts: rows.map(({ seq: _, ...count }) => count) }
}

/** Yields orders with their deliveries, then deliveries without an order.
 *  @param first which delivery gets the first place */
function* orderParts(sqlite: Database, tables: Tables, first: number): Generator<WorldPart> {
  const nextOrders = selector(sqlite, getTableColumns(schema.orders), tables.orders.rows)(`where ${page}`)
  const selectDeliveries = selector(sqlite, getTableColumns(schema.deliveries), tables.deliveries.rows)
  const ofOrders = selectDeliveries('where order_seq in (select value from json_each(?)) order by seq')
  const nextOfNone = selectDeliveries(`where order_seq is null and ${page}`)
  const present = deliveryPresenter({ sqlite }, tables.attempts.rows)

  const worldly = (rows: readonly DeliveryRow[]): WorldDelivery[] =>
    present(rows).map((delivery, index) => {
      const { seq = 0, released = false, blocking = false } = rows[index] ?? {}
      return {
        ...delivery,
        place: seq - first + 1,
        ...(released ? { released } : {}),
        ...(blocking === blocksAtFirst(delivery) ? {} : { blocking }),
      }
    })

  for (const rows of pages(nextOrders)) {
    const seqs = JSON.stringify(rows.map(({ seq }) => seq))
    const made = Map.groupBy(ofOrders(seqs), ({ orderSeq }) => orderSeq)
    yield {
      orders: rows.map(({ history, ...row }) => ({
        order: toOrder(row),
        history,
        deliveries: worldly(made.get(row.seq) ?? []),
      })),
    }
  }
  for (const rows of pages(nextOfNone)) yield { deliveries: worldly(rows) }
}

function* requestParts(sqlite: Database, tables: Tables): Generator<WorldPart> {
  const next = selector(sqlite, getTableColumns(schema.requests), tables.requests.rows)(`where ${page}`)
  for (const rows of pages(next)) yield { requests: rows.map(({ seq: _, ...entry }) => entry) }
}

const page = `seq > ? order by seq limit ${rowsAtOnce}`

function* pages<Row extends { readonly seq: number }>(next: (after: number) => Row[]): Generator<Row[]> {
  for (let rows = next(0); rows.length > 0; rows = next(rows.at(-1)?.seq ?? 0)) yield rows
}

// ---- copy on write ----------------------------------------------------------------------------------

type Tables = Readonly<Record<'answerCounts' | 'orders' | 'deliveries' | 'attempts' | 'requests', KeptTable>>

/** How the rows of a table at the time of a snapshot are saved. */
interface KeptTable {
  /** The SQL that starts to save changed rows. */
  readonly begin: string
  /** SQL of the table at the time of the snapshot, each row with its number as `seq`. */
  readonly rows: string
  /** The SQL that removes the saved rows. */
  readonly end: string
}

/** @param clientId restricts the snapshot to the rows of that client, if the table has a client
 *  @param parent a column by which rows are looked up */
function keptTable(
  { value }: Connection,
  number: number,
  table: SQLiteTable,
  clientId: string | undefined,
  parent: string | undefined,
): KeptTable {
  const name = getTableName(table)
  const was = `was_${number}_${name}`
  const columns = Object.values(getTableColumns(table))
  const names = columns.map((column) => `"${column.name}"`)
  const last = value<number>(`select coalesce(max(rowid), 0) from ${name}`)
  const isOfOne = clientId !== undefined && names.includes('"client_id"')
  // The value is part of the SQL text, because triggers have no parameters.
  const ofOne = isOfOne ? `and client_id = ${value<string>('select quote(?)', clientId)}` : ''
  const trigger = (event: string, row: string, kept: string) =>
    `create temp trigger ${was}_${event} after ${event} on main.${name}
     when ${row}.rowid <= ${last} ${ofOne.replace('client_id', `${row}.client_id`)}
     begin insert or ignore into ${was} ${kept}; end;`
  const old = `(rowid, was_there, ${names}) values (old.rowid, 1, ${names.map((each) => `old.${each}`)})`
  const numbered = names.includes('"seq"') ? names : ['rowid as seq', ...names]
  return {
    // The saved rows have the column types and the key of the table: otherwise SQLite would sort all remaining rows for
    // each part.
    begin: `
      create temp table ${was} (was_there integer, ${columns.map(
        (column) => `"${column.name}" ${column.getSQLType()} ${column.primary ? 'primary key' : ''}`,
      )});
      ${parent === undefined ? '' : `create index temp.${was}_${parent} on ${was} (${parent});`}
      ${trigger('update', 'old', old)}
      ${trigger('delete', 'old', old)}
      -- A new row may get the number of one that was removed, or a free one.
      ${trigger('insert', 'new', '(rowid) values (new.rowid)')}`,
    rows: `(
      select ${numbered} from main.${name}
      where rowid <= ${last} ${ofOne} and rowid not in (select rowid from ${was})
      union all select ${numbered} from ${was} where was_there)`,
    end: `
      ${['update', 'delete', 'insert'].map((event) => `drop trigger if exists ${was}_${event};`).join('')}
      drop table if exists ${was};`,
  }
}

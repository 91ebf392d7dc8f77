import { getTableColumns, getTableName } from 'drizzle-orm'
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'
import { EmulatorError } from '../../domain/text/errors.ts'
import type { ListQuery, Page } from '../store.ts'
import { type Rows, remembered } from './rows.ts'
import type { Connection } from './writer.ts'

/** The maximum number of rows that one read checks, which takes a few milliseconds. */
export const batchSize = 5_000

/** How a list is read: its columns, filters and order. */
export interface ListSpec<Row, T> {
  /** The first letter of the list's cursors, so that cursors of other lists are refused. */
  readonly letter: string
  readonly table: SQLiteTable
  /** Selects the rows of a list. */
  readonly select: (rest: string) => Rows<Row>
  /** An SQL condition that all rows of the list fulfil. */
  readonly only?: string
  /** The names of fields that `where` accepts. */
  readonly members: readonly string[]
  /** The SQL of fields that are not a column of the same name. */
  readonly found?: Readonly<Record<string, Found>>
  /** The texts that a search looks into; without any, a search finds nothing. */
  readonly searched?: readonly Found[]
  /** The filters that an index serves, most selective first. */
  readonly leads: readonly Lead[]
  /** The number of rows scanned at once if no index helps; all if left out. */
  readonly part?: number
  present(rows: readonly Row[]): T[]
}

/** A column or SQL expression that a field is compared with. */
type Found = SQLiteColumn | string

const filterNames = ['orderId', 'requestId', 'clientId', 'status', 'operation'] as const

interface Lead {
  readonly filter: (typeof filterNames)[number]
  /** Worded so that SQLite uses the index, with the filter's name as parameter; an equality if left out. */
  readonly condition?: string
  /** Whether the condition leaves few rows, so that the other filters can check each of them. */
  readonly leavesFew: boolean
}

/** The maximum number of query shapes whose statements are cached. */
const keptShapes = 100

/** A list with many possible filters. A statement is prepared for each combination when it first comes: SQLite uses
 *  no index for a filter that may be absent. */
export function lister<Row extends { readonly seq: number }, T>(
  connection: Connection,
  spec: ListSpec<Row, T>,
): (query: ListQuery) => Page<T> {
  const statement = remembered(spec.select, keptShapes)
  return (query) => {
    const { cursor, newestFirst = false, limit } = query
    const behind = cursor === undefined ? null : seqOf(spec.letter, cursor)
    const asked = askedFor(spec, query)
    if (asked === null) return { items: [], next: null }
    const { start, end, isLast } = partBehind(connection, spec, behind, newestFirst, asked.looks)
    const bounds = newestFirst ? 'seq < +:start and seq >= +:end' : 'seq > +:start and seq <= +:end'
    const where = [bounds, ...(spec.only === undefined ? [] : [spec.only]), ...asked.conditions]
    const read = statement(
      `where ${where.join(' and ')} order by seq ${newestFirst ? 'desc' : 'asc'} limit +:limit`,
    )
    // Reads one row more than the page has, to see whether another page follows.
    const rows = read({ ...asked.values, start, end, limit: limit + 1 })
    const last = rows.length > limit ? rows[limit - 1]?.seq : isLast ? undefined : end
    return {
      items: spec.present(rows.slice(0, limit)),
      next: last === undefined ? null : cursorOf(spec.letter, last),
    }
  }
}

const cursorOf = (letter: string, seq: number) => `${letter}${seq.toString(36)}`

function seqOf(letter: string, cursor: string): number {
  const seq = Number.parseInt(cursor.slice(letter.length), 36)
  // parseInt ignores trailing garbage, but only a cursor of a page comes out as it went in.
  if (!Number.isSafeInteger(seq) || seq < 1 || cursorOf(letter, seq) !== cursor)
    throw new EmulatorError('bad_cursor', { cursor })
  return seq
}

/** Returns the next range of a list that one read may scan.
 *  @param behind the `seq` before the range; null for the first one
 *  @param looks whether each row has to be checked, so that the range must be short */
function partBehind(
  { value }: Connection,
  { table, part = all }: Pick<ListSpec<unknown, unknown>, 'table' | 'part'>,
  behind: number | null,
  newestFirst: boolean,
  looks: boolean,
): { start: number; end: number; isLast: boolean } {
  const [oldest = 0, newest = 0] = ['min', 'max'].map(
    (end) => value<number | null>(`select ${end}(seq) from ${getTableName(table)}`) ?? 0,
  )
  const length = looks ? part : all
  if (newestFirst) {
    const start = Math.min(behind ?? all, newest + 1)
    return { start, end: start - length, isLast: start - length <= oldest }
  }
  const start = Math.max(behind ?? 0, oldest - 1)
  return { start, end: start + length, isLast: start + length >= newest }
}

const all = Number.MAX_SAFE_INTEGER

/** The conditions of a query and their parameters. */
interface Asked {
  readonly conditions: readonly string[]
  /** The values of the parameters, by name. */
  readonly values: Readonly<Record<string, string>>
  /** Whether many rows have to be checked, because no index leads to the matching ones. */
  readonly looks: boolean
}

/** Builds the conditions of a query; null if the list lacks a field of the query, so that nothing matches. */
function askedFor(
  { table, members, found = {}, searched = [], leads }: Omit<ListSpec<unknown, unknown>, 'present'>,
  query: ListQuery,
): Asked | null {
  const columns: Readonly<Record<string, SQLiteColumn>> = getTableColumns(table)
  const placeOf = (member: string) => found[member] ?? columns[member]
  const lead = leads.find(({ filter }) => query[filter] !== undefined)
  const conditions: string[] = []
  const values: Record<string, string> = {}
  for (const name of filterNames) {
    const [place, value] = [placeOf(name), query[name]]
    if (value === undefined) continue
    if (place === undefined) return null
    const leading = lead?.filter === name ? lead.condition : undefined
    conditions.push(leading ?? `${textOf(place)} = +:${name}`)
    values[name] = value
  }
  for (const [index, [member, text]] of Object.entries(query.where ?? {}).entries()) {
    const place = members.includes(member) ? placeOf(member) : undefined
    if (place === undefined) return null
    const name = `member${index}`
    const begins = text.endsWith('*')
    conditions.push(memberIs(place, name, begins))
    values[name] = begins ? text.slice(0, -1) : text
  }
  if (query.search !== undefined) {
    values.search = query.search.toLowerCase()
    conditions.push(isSearched(searched, values.search))
  }
  const looks = lead?.leavesFew !== true && conditions.length > (lead === undefined ? 0 : 1)
  return { conditions, values, looks }
}

const textOf = (found: Found) => (typeof found === 'string' ? found : found.name)

/** Builds a condition that a field equals a text or begins with it. Only texts match, not numbers or null. */
function memberIs(found: Found, name: string, begins: boolean): string {
  const shown = `cast(${textOf(found)} as text)`
  return begins ? `substr(${shown}, 1, length(+:${name})) = +:${name}` : `${shown} = +:${name}`
}

/** A condition that one of the texts contains the wanted one, ignoring case. `%` and `_` are plain characters. */
function isSearched(texts: readonly Found[], wanted: string): string {
  // SQLite's own `lower` is ten times as fast but knows only ASCII.
  const fold = /\P{ASCII}/u.test(wanted) ? 'lower_any' : 'lower'
  const isIn = texts.map((text) => `instr(${fold}(${textOf(text)}), +:search) > 0`)
  return isIn.length === 0 ? 'false' : `(${isIn.join(' or ')})`
}

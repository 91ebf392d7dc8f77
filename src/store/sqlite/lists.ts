import { getTableColumns, getTableName } from 'drizzle-orm'
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'
import { EmulatorError } from '../../domain/text/errors.ts'
import type { ListQuery, Page } from '../store.ts'
import { type Rows, remembered } from './rows.ts'
import type { Connection } from './writer.ts'

/** So many orders or deliveries, in a few milliseconds. */
export const lookedAtOnce = 5_000

/** A list as its topic knows it. */
export interface ListSpec<Row, T> {
  /** Begins the list's cursors, so that those of another list are refused. */
  readonly letter: string
  readonly table: SQLiteTable
  /** What is read of it. */
  readonly select: (rest: string) => Rows<Row>
  /** A condition that all things of the list fulfil. */
  readonly only?: string
  /** What `where` can ask for. */
  readonly members: readonly string[]
  /** Where those are that are no column of that name. */
  readonly found?: Readonly<Record<string, Found>>
  /** The texts that a search looks into; without any, no search finds anything. */
  readonly searched?: readonly Found[]
  /** The filters that an index serves, the most particular first. */
  readonly leads: readonly Lead[]
  /** How many things are looked through at once for what no index finds; all of them if left out. */
  readonly part?: number
  present(rows: readonly Row[]): T[]
}

/** A column, or an SQL expression. */
type Found = SQLiteColumn | string

const filterNames = ['orderId', 'requestId', 'clientId', 'status', 'operation'] as const

interface Lead {
  readonly filter: (typeof filterNames)[number]
  /** Worded so that SQLite uses the index, with the filter's name as parameter; an equality if left out. */
  readonly condition?: string
  /** Whether it leaves so few things that the rest of the question may look at each of them. */
  readonly leavesFew: boolean
}

/** So many ways to ask are kept prepared. */
const keptShapes = 100

/** A list that can be asked for in many ways. A statement is prepared for each way when it is first asked: SQLite uses no
 *  index for a filter that may be absent. */
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
    // One more than the page holds, to see whether another page follows.
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
  // parseInt forgives trailing nonsense, but only what a page gave comes out as it went in.
  if (!Number.isSafeInteger(seq) || seq < 1 || cursorOf(letter, seq) !== cursor)
    throw new EmulatorError('bad_cursor', { cursor })
  return seq
}

/** The stretch of a list that one read may look at.
 *  @param behind the `seq` that it begins behind; null for the first
 *  @param looks whether each thing has to be looked at, so that there must not be too many of them */
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

/** What a query asks for, ready for a statement. */
interface Asked {
  readonly conditions: readonly string[]
  /** The parameters, by name. */
  readonly values: Readonly<Record<string, string>>
  /** Whether many things have to be looked at, because no index leads to what fits. */
  readonly looks: boolean
}

/** Puts together what a query asks for; null if the things of its list have no such member, and so nothing fits. */
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

/** A member is as it is wanted, or begins so. Compared as text: a number or none has no beginning. */
function memberIs(found: Found, name: string, begins: boolean): string {
  const shown = `cast(${textOf(found)} as text)`
  return begins ? `substr(${shown}, 1, length(+:${name})) = +:${name}` : `${shown} = +:${name}`
}

/** One of the texts has the wanted one in it, in small letters or large ones. No pattern: `%` and `_` are letters. */
function isSearched(texts: readonly Found[], wanted: string): string {
  // SQLite's own `lower` is ten times as quick and knows ASCII only.
  const fold = /\P{ASCII}/u.test(wanted) ? 'lower_any' : 'lower'
  const isIn = texts.map((text) => `instr(${fold}(${textOf(text)}), +:search) > 0`)
  return isIn.length === 0 ? 'false' : `(${isIn.join(' or ')})`
}

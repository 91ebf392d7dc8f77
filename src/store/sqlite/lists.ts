import { and, asc, desc, getTableName, gt, gte, lt, lte, or, type SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import { EmulatorError } from '../../domain/errors.ts'
import type { ListQuery, Page } from '../store.ts'
import type { Connection } from './connection.ts'
import { p } from './parameter.ts'

/** So many orders or deliveries, in a few milliseconds. */
export const lookedAtOnce = 5_000

/** A list as its topic knows it. */
export interface ListSpec<Row, T> extends AskedOf {
  /** Begins the list's cursors, so that those of another list are refused. */
  readonly letter: string
  readonly seq: SQLiteColumn
  /** How many things are looked through at once for what no index finds; all of them if left out. */
  readonly part?: number
  /** Prepares the select with `limit ${sql.placeholder('limit')}`. */
  prepare(where: SQL | undefined, order: SQL): Statement<Row>
  present(rows: readonly Row[]): T[]
}

interface Statement<Row> {
  all(values: Record<string, unknown>): Row[]
}

/** A list that can be asked for in many ways. */
export function lister<Row extends { readonly seq: number }, T>(
  connection: Connection,
  spec: ListSpec<Row, T>,
): (query: ListQuery) => Page<T> {
  const { letter } = spec
  const statementFor = statements(spec)
  const partOf = partFinder(connection, spec)
  return (query) => {
    const { cursor, newestFirst = false, limit } = query
    const behind = cursor === undefined ? null : seqOf(letter, cursor)
    const asked = askedFor(spec, query)
    if (asked === null) return { items: [], next: null }
    const part = partOf(behind, newestFirst, asked.looks)
    // One more than the page holds, to see whether another page follows.
    const rows = statementFor(asked, newestFirst).all({ ...asked.values, ...part, limit: limit + 1 })
    return { items: spec.present(rows.slice(0, limit)), next: nextOf(rows, limit, part, letter) }
  }
}

function nextOf(rows: readonly { seq: number }[], limit: number, part: Part, letter: string): string | null {
  const last = rows.length > limit ? rows[limit - 1] : undefined
  if (last !== undefined) return cursorOf(letter, last.seq)
  return part.isLast ? null : cursorOf(letter, part.end)
}

/** So many ways to ask are kept prepared. */
const keptShapes = 100

/** A statement for each way to ask, prepared when it is first asked: SQLite uses no index for a filter that may be
 *  absent, so there are as many as there are sets of filters. */
function statements<Row>(
  spec: ListSpec<Row, unknown>,
): (asked: Asked, newestFirst: boolean) => Statement<Row> {
  const kept = new Map<string, Statement<Row>>()
  const { seq } = spec
  return (asked, newestFirst) => {
    const shape = `${newestFirst} ${asked.shape}`
    const known = kept.get(shape)
    if (known !== undefined) return known
    if (kept.size >= keptShapes) kept.clear()
    const part = newestFirst
      ? and(lt(seq, p('start')), gte(seq, p('end')))
      : and(gt(seq, p('start')), lte(seq, p('end')))
    const statement = spec.prepare(and(part, asked.condition()), newestFirst ? desc(seq) : asc(seq))
    kept.set(shape, statement)
    return statement
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

/** The stretch of a list that one read may look at. */
interface Part {
  /** The `seq` behind which it begins. */
  readonly start: number
  /** The `seq` with which it ends. */
  readonly end: number
  /** Whether the list ends within it. */
  readonly isLast: boolean
}

/** Finds the part that comes behind a `seq`, or the first for null: all that is left, or with `looks`, when each thing
 *  has to be looked at, so much that nobody else waits for long. */
function partFinder(
  { sqlite }: Connection,
  { seq, part: length }: { readonly seq: SQLiteColumn; readonly part?: number },
): (behind: number | null, newestFirst: boolean, looks: boolean) => Part {
  const table = getTableName(seq.table)
  // Each on its own is a look at one end of the table; asked for together, SQLite would go through all of it.
  const ends = sqlite.prepare<[], { first: number | null; last: number | null }>(
    `select (select min(seq) from ${table}) as first, (select max(seq) from ${table}) as last`,
  )
  return (behind, newestFirst, looks) => {
    if (length === undefined || !looks) {
      const [start, end] = newestFirst ? [Number.MAX_SAFE_INTEGER, 0] : [0, Number.MAX_SAFE_INTEGER]
      return { start: behind ?? start, end, isLast: true }
    }
    const { first, last } = ends.get() ?? { first: null, last: null }
    if (newestFirst) {
      const start = Math.min(behind ?? Number.MAX_SAFE_INTEGER, (last ?? 0) + 1)
      const end = start - length
      return { start, end, isLast: end <= (first ?? 0) }
    }
    const start = Math.max(behind ?? 0, (first ?? 1) - 1)
    const end = start + length
    return { start, end, isLast: end >= (last ?? 0) }
  }
}

const filterNames = ['orderId', 'requestId', 'clientId', 'status', 'operation'] as const
type FilterName = (typeof filterNames)[number]
type Found = SQLiteColumn | SQL

/** What a list can be asked for. */
interface AskedOf {
  readonly filters: Partial<Record<FilterName, SQLiteColumn>>
  /** What else can be asked for. */
  readonly members: Readonly<Record<string, Found>>
  /** The texts that a search looks into; without any, no search finds anything. */
  readonly searched?: readonly Found[]
  /** The filters that an index serves, the most particular first. */
  readonly leads: readonly Lead[]
}

interface Lead {
  readonly filter: FilterName
  /** Worded so that SQLite uses the index. */
  readonly condition: SQL
  /** Whether it leaves so few things that the rest of the question may look at each of them. */
  readonly leavesFew: boolean
}

/** What a query asks for, ready for a statement. */
interface Asked {
  /** Tells this way to ask from all others of its list. */
  readonly shape: string
  /** The parameters, by name. */
  readonly values: Readonly<Record<string, string>>
  /** Whether many things have to be looked at, because no index leads to what fits. */
  readonly looks: boolean
  condition(): SQL | undefined
}

interface Condition {
  /** Of the condition among those of its list, and of its parameter. */
  readonly name: string
  readonly value: string
  readonly sql: () => SQL | undefined
}

/** Puts together what a query asks for; null if the things of its list have no such member, and so nothing fits. */
function askedFor(list: AskedOf, query: ListQuery): Asked | null {
  const lead = list.leads.find(({ filter }) => query[filter] !== undefined)
  const asked: Condition[] = []
  for (const name of filterNames) {
    const [column, value] = [list.filters[name], query[name]]
    if (value === undefined) continue
    if (column === undefined) return null
    asked.push({ name, value, sql: () => (lead?.filter === name ? lead.condition : isEqual(column, name)) })
  }
  for (const [member, text] of Object.entries(query.where ?? {})) {
    const found = Object.hasOwn(list.members, member) ? list.members[member] : undefined
    if (found === undefined) return null
    asked.push(memberIs(found, member, text))
  }
  if (query.search !== undefined) asked.push(searched(list.searched ?? [], query.search))
  return {
    shape: asked.map(({ name }) => name).join(),
    values: Object.fromEntries(asked.map(({ name, value }) => [name, value])),
    looks: lead?.leavesFew !== true && asked.some(({ name }) => name !== lead?.filter),
    condition: () => and(...asked.map((one) => one.sql())),
  }
}

const isEqual = (column: SQLiteColumn, name: string) => sql`${column} = ${p(name)}`

/** A member is as it is wanted, or begins so. Compared as text: a number or none has no beginning. */
function memberIs(found: Found, member: string, text: string): Condition {
  const shown = sql`cast(${found} as text)`
  if (!text.endsWith('*')) {
    const name = `${member} is`
    return { name, value: text, sql: () => sql`${shown} = ${p(name)}` }
  }
  const name = `${member} begins`
  return {
    name,
    value: text.slice(0, -1),
    sql: () => sql`substr(${shown}, 1, length(${p(name)})) = ${p(name)}`,
  }
}

/** One of the texts has the wanted one in it, in small letters or large ones. No pattern: `%` and `_` are letters. */
function searched(texts: readonly Found[], text: string): Condition {
  const value = text.toLowerCase()
  const isAscii = !/\P{ASCII}/u.test(value)
  const name = isAscii ? 'search' : 'search beyond ASCII'
  // SQLite's own `lower` is ten times as quick and knows ASCII only.
  const fold = sql.raw(isAscii ? 'lower' : 'lower_any')
  const isIn = (one: Found) => sql`instr(${fold}(${one}), ${p(name)}) > 0`
  return { name, value, sql: () => or(...texts.map(isIn)) ?? sql`false` }
}

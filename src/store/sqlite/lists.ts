import { and, asc, desc, gt, lt, type SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import { EmulatorError } from '../../domain/errors.ts'
import type { ListQuery, Page } from '../store.ts'
import { p } from './parameter.ts'

const filterNames = ['orderId', 'requestId', 'clientId', 'status', 'operation'] as const
type FilterName = (typeof filterNames)[number]

/** A list as its topic knows it. */
export interface ListSpec<Row, T> {
  /** Begins the list's cursors, so that those of another list are refused. */
  readonly letter: string
  readonly seq: SQLiteColumn
  readonly filters: Partial<Record<FilterName, SQLiteColumn>>
  /** What else can be asked for. */
  readonly members: Readonly<Record<string, SQLiteColumn | SQL>>
  /** The filters that an index serves, the most particular first, with the condition that makes SQLite use it. */
  readonly leads: readonly (readonly [name: FilterName, condition: SQL])[]
  /** Prepares the select with `limit ${sql.placeholder('limit')}`. */
  prepare(where: SQL | undefined, order: SQL): Statement<Row>
  present(rows: readonly Row[]): T[]
}

interface Statement<Row> {
  all(values: Record<string, unknown>): Row[]
}

/** So many ways to ask are kept prepared. */
const keptShapes = 100

/** A list that can be asked for in many ways. Each is prepared when it is first asked for: SQLite uses no index for a
 *  filter that may be absent, so there are as many as there are sets of filters. */
export function lister<Row extends { readonly seq: number }, T>(
  spec: ListSpec<Row, T>,
): (query: ListQuery) => Page<T> {
  const shapes = new Map<string, Statement<Row>>()
  const statementFor = (asked: readonly Condition[], newestFirst: boolean) => {
    const shape = [newestFirst ? 'newest' : 'oldest', ...asked.map(({ name }) => name)].join()
    const kept = shapes.get(shape)
    if (kept !== undefined) return kept
    if (shapes.size >= keptShapes) shapes.clear()
    const { seq } = spec
    const start = newestFirst ? lt(seq, p('start')) : gt(seq, p('start'))
    const where = and(start, ...asked.map(({ condition }) => condition()))
    const statement = spec.prepare(where, newestFirst ? desc(seq) : asc(seq))
    shapes.set(shape, statement)
    return statement
  }
  return (query) => {
    const { newestFirst = false, limit } = query
    const start = startOf(spec.letter, query)
    const asked = conditionsOf(spec, query)
    if (asked === null) return { items: [], next: null }
    const values = Object.fromEntries(asked.map(({ name, value }) => [name, value]))
    // One more than the page holds, to see whether another page follows.
    const rows = statementFor(asked, newestFirst).all({ ...values, start, limit: limit + 1 })
    const shown = rows.slice(0, limit)
    const last = rows.length > limit ? shown.at(-1) : undefined
    return { items: spec.present(shown), next: last ? cursorOf(spec.letter, last.seq) : null }
  }
}

/** Something that a query asks for. The name tells it from all others of its list, and names its parameter. */
interface Condition {
  readonly name: string
  readonly value: string
  condition(): SQL
}

type Conditions = Pick<ListSpec<never, unknown>, 'filters' | 'members' | 'leads'>

/** What a query asks for; null if the things of this list have no such member, and so nothing fits. */
function conditionsOf(spec: Conditions, query: ListQuery): Condition[] | null {
  const lead = spec.leads.find(([name]) => query[name] !== undefined)
  const asked: Condition[] = []
  for (const name of filterNames) {
    const [column, value] = [spec.filters[name], query[name]]
    if (value === undefined) continue
    if (column === undefined) return null
    const condition = () => (lead?.[0] === name ? lead[1] : sql`${column} = ${p(name)}`)
    asked.push({ name, value, condition })
  }
  for (const [member, text] of Object.entries(query.where ?? {})) {
    const found = Object.hasOwn(spec.members, member) ? spec.members[member] : undefined
    if (found === undefined) return null
    asked.push(memberCondition(member, found, text))
  }
  return asked
}

/** A member is as it is wanted, or begins so. Compared as text: a number or none has no beginning. */
function memberCondition(member: string, found: SQLiteColumn | SQL, text: string): Condition {
  const shown = sql`cast(${found} as text)`
  if (!text.endsWith('*')) {
    const name = `${member} is`
    return { name, value: text, condition: () => sql`${shown} = ${p(name)}` }
  }
  const name = `${member} begins`
  const condition = () => sql`substr(${shown}, 1, length(${p(name)})) = ${p(name)}`
  return { name, value: text.slice(0, -1), condition }
}

/** The `seq` behind which a page begins. */
function startOf(letter: string, { cursor, newestFirst }: ListQuery): number {
  if (cursor !== undefined) return seqOf(letter, cursor)
  return newestFirst ? Number.MAX_SAFE_INTEGER : 0
}

const cursorOf = (letter: string, seq: number) => `${letter}${seq.toString(36)}`

function seqOf(letter: string, cursor: string): number {
  const seq = Number.parseInt(cursor.slice(letter.length), 36)
  // parseInt forgives trailing nonsense, but only what a page gave comes out as it went in.
  if (!Number.isSafeInteger(seq) || seq < 1 || cursorOf(letter, seq) !== cursor)
    throw new EmulatorError('bad_cursor', { cursor })
  return seq
}

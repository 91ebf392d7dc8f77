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
  prepare(where: SQL | undefined, order: SQL): { all(values: Record<string, unknown>): Row[] }
  present(rows: readonly Row[]): T[]
}

/** Prepares a list in all its shapes: oldest and newest first, and once for each filter that an index serves,
 *  because SQLite uses no index for a filter that may be absent. */
export function lister<Row extends { readonly seq: number }, T>(
  spec: ListSpec<Row, T>,
): (query: ListQuery) => Page<T> {
  const leads = [...spec.leads, noLead]
  const shapes = [false, true].map((newestFirst) =>
    leads.map(([, lead]) =>
      spec.prepare(conditions(spec, lead, newestFirst), newestFirst ? desc(spec.seq) : asc(spec.seq)),
    ),
  )
  return (query) => {
    const values = parameters(spec.letter, query)
    // What the things of this list do not have equals nothing.
    const strange =
      filterNames.some((name) => query[name] !== undefined && !spec.filters[name]) ||
      Object.keys(query.where ?? {}).some((name) => !Object.hasOwn(spec.members, name))
    if (strange) return { items: [], next: null }
    const lead = leads.findIndex(([name]) => name === undefined || query[name] !== undefined)
    const rows = shapes[query.newestFirst ? 1 : 0]?.[lead]?.all(values) ?? []
    const shown = rows.slice(0, query.limit)
    const last = rows.length > query.limit ? shown.at(-1) : undefined
    return { items: spec.present(shown), next: last ? cursorOf(spec.letter, last.seq) : null }
  }
}

const noLead = [undefined, undefined] as const

function conditions(
  { seq, filters, members }: Pick<ListSpec<unknown, unknown>, 'seq' | 'filters' | 'members'>,
  lead: SQL | undefined,
  newestFirst: boolean,
): SQL | undefined {
  const start = p('start')
  return and(
    newestFirst ? lt(seq, start) : gt(seq, start),
    lead,
    ...filterNames.map((name) => {
      const column = filters[name]
      const wanted = p(name)
      return column && sql`(${wanted} is null or ${column} = ${wanted})`
    }),
    sql`(${p('where')} is null or ${asked(members)})`,
  )
}

/** The members that `where` names are as it wants them, or begin so. */
function asked(members: ListSpec<unknown, unknown>['members']): SQL {
  const cases = Object.entries(members).map(
    ([name, member]) => sql`when ${sql.raw(`'${name}'`)} then ${member}`,
  )
  const found = sql`cast(case value ->> 0 ${sql.join(cases, sql` `)} end as text)`
  return sql`not exists (
    select 1 from json_each(${p('where')})
    where coalesce(iif(value ->> 2, substr(${found}, 1, length(value ->> 1)), ${found}) <> value ->> 1, 1)
  )`
}

/** Names, texts, and whether that is only how they begin. */
function wantedOf(where: Readonly<Record<string, string>>): string | null {
  const wanted = Object.entries(where).map(([name, text]) =>
    text.endsWith('*') ? [name, text.slice(0, -1), 1] : [name, text, 0],
  )
  return wanted.length === 0 ? null : JSON.stringify(wanted)
}

function parameters(letter: string, query: ListQuery): Record<string, unknown> {
  const first = query.newestFirst ? Number.MAX_SAFE_INTEGER : 0
  const filters = filterNames.map((name) => [name, query[name] ?? null] as const)
  return {
    ...Object.fromEntries(filters),
    where: wantedOf(query.where ?? {}),
    start: query.cursor === undefined ? first : seqOf(letter, query.cursor),
    // One more than the page holds, to see whether another page follows.
    limit: query.limit + 1,
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

import { and, or, type SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import type { ListQuery } from '../store.ts'
import { p } from './parameter.ts'

const filterNames = ['orderId', 'requestId', 'clientId', 'status', 'operation'] as const
type FilterName = (typeof filterNames)[number]
type Found = SQLiteColumn | SQL

/** What a list can be asked for. */
export interface AskedOf {
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
export interface Asked {
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
export function askedFor(list: AskedOf, query: ListQuery): Asked | null {
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

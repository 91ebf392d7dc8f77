import { and, asc, desc, gt, gte, lt, lte, type SQL } from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import { EmulatorError } from '../../domain/errors.ts'
import type { ListQuery, Page } from '../store.ts'
import type { Connection } from './connection.ts'
import { type Asked, type AskedOf, askedFor } from './list-conditions.ts'
import { type Part, partFinder } from './list-parts.ts'
import { p } from './parameter.ts'

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

import type { Database } from 'better-sqlite3'
import { getTableColumns, getTableName, is } from 'drizzle-orm'
import { SQLiteTable } from 'drizzle-orm/sqlite-core'
import type { z } from 'zod'
import { EmulatorError } from '../../../domain/errors.ts'
import { nestsDeeper } from '../../../domain/json-text.ts'
import { lastMoment } from '../../../domain/moment.ts'
import { check } from '../../../domain/problems.ts'
import { scenarioFormat } from '../../../domain/scenario/scenario.ts'
import type { ReadSnapshot } from '../../snapshot.ts'
import * as schema from '../schema.ts'
import { jsonShapes, shapes, storedScenario } from './shapes.ts'
import type { Column } from './tables.ts'

/** As for the bodies of requests. */
const maxDepth = 64
/** Rows that are looked at without serving requests in between. */
const rowsAtOnce = 500

/** What is wrong with a value for a column of a strict table; undefined if nothing is. SQLite would make a number of a
 *  text that looks like one, and a text of any number. */
export function cellProblem(value: unknown, { type, nullable }: Column): string | undefined {
  if (value === null) return nullable ? undefined : 'must not be null'
  if (type === 'TEXT') return typeof value === 'string' ? undefined : 'must be a text'
  if (typeof value !== 'number' || !Number.isFinite(value)) return 'must be a number'
  if (type === 'REAL') return undefined
  // The last moment that any clock shows is the largest number that is ever kept.
  return Number.isInteger(value) && Math.abs(value) <= lastMoment
    ? undefined
    : 'must be a whole number in range'
}

/** Looks through the values that the database itself cannot judge. @throws snapshot_invalid */
export async function checkValues(draft: Database): Promise<void> {
  for (const table of Object.values(schema)) if (is(table, SQLiteTable)) await checkTable(draft, table)
  checkMetadata(draft)
  checkAttempts(draft)
  checkScenarios(draft)
}

async function checkTable(draft: Database, table: SQLiteTable): Promise<void> {
  const name = getTableName(table)
  const checks = Object.values(getTableColumns(table)).flatMap((column) => {
    const place = `${name}.${column.name}`
    const isJson = column.dataType === 'json'
    const shape = isJson ? jsonShapes[place] : shapes[place]
    return isJson || shape !== undefined ? [{ column: column.name, isJson, shape }] : []
  })
  if (checks.length === 0) return
  const rows = draft
    .prepare<[], [number, ...unknown[]]>(
      `select rowid, ${checks.map(({ column }) => `"${column}"`)} from "${name}" order by rowid`,
    )
    .raw()
    .iterate()
  let looked = 0
  for (const [rowid, ...values] of rows) {
    for (const [index, { column, isJson, shape }] of checks.entries()) {
      const problem = isJson ? jsonProblem(values[index], shape) : shapeProblem(values[index], shape)
      if (problem !== undefined) throw invalid(`tables.${name}, row ${rowid}: ${column}: ${problem}`)
    }
    looked += 1
    if (looked % rowsAtOnce === 0) await new Promise((resolve) => setImmediate(resolve))
  }
}

function jsonProblem(value: unknown, shape: z.ZodType | undefined): string | undefined {
  if (value === null) return undefined
  const parsed = parsedJson(value)
  if (parsed === undefined) return 'is not JSON'
  if (typeof parsed.value !== 'object' || parsed.value === null) return 'must be an object or a list'
  return shapeProblem(parsed.value, shape)
}

function shapeProblem(value: unknown, shape: z.ZodType | undefined): string | undefined {
  const result = shape === undefined ? undefined : check(shape, value)
  if (result === undefined || result.ok) return undefined
  return result.problems.map(({ path, message }) => [...path, message].join(': ')).join('; ')
}

function parsedJson(text: unknown): { value: unknown } | undefined {
  if (typeof text !== 'string' || nestsDeeper(text, maxDepth)) return undefined
  try {
    return { value: JSON.parse(text) }
  } catch {
    return undefined
  }
}

/** It is kept as the text that came (N69), so that its column is none of JSON. */
function checkMetadata(draft: Database): void {
  const texts = draft.prepare<[], string>('select metadata from orders where metadata is not null').pluck()
  for (const text of texts.iterate())
    if (!isObject(parsedJson(text)?.value)) throw invalid('tables.orders: metadata: is not a JSON object')
}

/** The latest attempt of a delivery is there whole, or not at all; rows of their own have those before it. */
function checkAttempts(draft: Database): void {
  const torn = draft
    .prepare<[], string>(
      `select id from deliveries
       where outcome is not null and (attempt < 1 or attempt_at is null or attempt_wall_at is null or url is null
         or request_headers is null)`,
    )
    .pluck()
    .get()
  if (torn !== undefined) throw invalid(`tables.deliveries: ${torn} has an incomplete attempt`)
  const early = draft
    .prepare<[], string>('select id from deliveries join attempts on delivery_seq = seq and n >= attempt')
    .pluck()
    .get()
  if (early !== undefined) throw invalid(`tables.attempts: ${early} has an attempt after its latest one`)
}

/** Those of another form are refused when an order wants to follow them. */
function checkScenarios(draft: Database): void {
  const stored = draft
    .prepare<[number], [string, string]>(
      'select version, scenario_json from scenario_versions where format = ?',
    )
    .raw()
  for (const [version, text] of stored.iterate(scenarioFormat)) {
    const problem = jsonProblem(text, storedScenario)
    if (problem !== undefined) throw invalid(`tables.scenario_versions: ${version}: ${problem}`)
  }
  const lost = draft
    .prepare<[], string>(
      'select order_id from orders where scenario_version not in (select version from scenario_versions)',
    )
    .pluck()
    .get()
  if (lost !== undefined) throw invalid(`tables.orders: ${lost} follows a scenario version that is missing`)
}

/** What is to be known before a snapshot is written. @throws snapshot_invalid */
export function contentsOf(
  draft: Database,
): Pick<ReadSnapshot, 'clientIds' | 'commonSettings' | 'scenarioTexts'> {
  const settings = draft.prepare<[], string>('select settings from world').pluck().get()
  return {
    clientIds: draft.prepare<[], string>('select client_id from clients order by seq').pluck().all(),
    commonSettings: settings === undefined ? null : JSON.parse(settings),
    scenarioTexts: draft
      .prepare<[], { id: string; text: string }>('select id, text from scenario_texts')
      .all(),
  }
}

const isObject = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const invalid = (problem: string) => new EmulatorError('snapshot_invalid', { problem })

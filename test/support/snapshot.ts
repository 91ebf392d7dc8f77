import type { Answer } from './answer.ts'
import type { TestEmulator } from './emulator.ts'

/** A snapshot as its text. */
export async function snapshotOf(emulator: TestEmulator, query = ''): Promise<string> {
  return (await emulator.control(`/snapshot${query}`)).text
}

/** Sends a snapshot back. */
export function putSnapshot(emulator: TestEmulator, body: string | object, query = ''): Promise<Answer> {
  const headers = { 'content-type': 'application/json' }
  return emulator.send(`/_emulator/snapshot${query}`, { method: 'PUT', headers, body })
}

/** Restores a snapshot; throws unless it is taken. */
export async function restore(
  emulator: TestEmulator,
  snapshot: string | object,
  query = '',
): Promise<Answer> {
  const answer = await putSnapshot(emulator, snapshot, query)
  if (answer.status !== 200) throw new Error(`the snapshot was answered ${answer.status} ${answer.text}`)
  return answer
}

/** A snapshot's table, as a test changes it. */
export interface Table {
  columns: string[]
  rows: unknown[][]
}

/** A snapshot as a test changes it. */
export interface SnapshotDraft {
  schema: number
  clientId: string | null
  tables: Record<string, Table>
}

export function draftOf(snapshot: string): SnapshotDraft {
  const draft: SnapshotDraft = JSON.parse(snapshot)
  return draft
}

/** A table of a draft. */
export function tableOf(draft: SnapshotDraft, name: string): Table {
  const table = draft.tables[name]
  if (table === undefined) throw new Error(`the snapshot has no table ${name}`)
  return table
}

/** Puts a value into the first row of a table. */
export function setFirst(draft: SnapshotDraft, table: string, column: string, value: unknown): void {
  const { columns, rows } = tableOf(draft, table)
  const index = columns.indexOf(column)
  const [row] = rows
  if (index === -1 || row === undefined) throw new Error(`there is no ${table}.${column} to change`)
  row[index] = value
}

/** The tables alone, without what is about the wall: two snapshots of one world are equal in them. */
export function worldIn(snapshot: string): SnapshotDraft['tables'] {
  const { tables } = draftOf(snapshot)
  const { columns = [], rows = [] } = tables.clients ?? {}
  for (const row of rows) row[columns.indexOf('clock_anchor_wall')] = 0
  return tables
}

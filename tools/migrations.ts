import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import Sqlite from 'better-sqlite3'
import { migrate } from '../src/store/sqlite/migrate.ts'

const folder = new URL('../src/store/sqlite/migrations/', import.meta.url)
const target = new URL('../src/store/sqlite/migrations.generated.ts', import.meta.url)

/** The text of `migrations.generated.ts`: what drizzle-kit wrote, as the program carries it, and where it leads.
 *  Adds STRICT to every table, which drizzle-kit does not know: a value of the wrong type is refused. */
export function generateMigrations(): string {
  const scripts = readdirSync(folder)
    .filter((name) => name.endsWith('.sql'))
    .sort()
    .map((name) => readFileSync(new URL(name, folder), 'utf8'))
    .map(embeddable)
  return `// Written by tools/migrations.ts from src/store/sqlite/migrations/.

/** SQL scripts; the n-th leads from schema version n - 1 to n. */
export const migrations: readonly string[] = [
${scripts.map((script) => `  ${quoted(script)},\n`).join('')}]

/** What they all lead to, for a database that is new. */
export const newestSchema = ${quoted(schemaAfter(scripts))}
`
}

const quoted = (script: string) => `\`${script}\``

function schemaAfter(scripts: readonly string[]): string {
  const sqlite = new Sqlite(':memory:')
  migrate(sqlite, scripts)
  // What has no text SQLite makes by itself, for a primary key.
  const made = sqlite.prepare<[], string>(
    'select sql from sqlite_schema where sql is not null order by rowid',
  )
  const statements = made.pluck().all()
  sqlite.close()
  return statements.map((statement) => `${statement};`).join('\n')
}

function embeddable(script: string): string {
  return script
    .replaceAll('--> statement-breakpoint', '')
    .replaceAll(/^\)( WITHOUT ROWID)?;$/gm, (_, kind) =>
      kind === undefined ? ') STRICT;' : `) STRICT,${kind};`,
    )
    .replaceAll('`', '"')
    .trim()
}

if (process.argv[1] === fileURLToPath(import.meta.url)) writeFileSync(target, generateMigrations())

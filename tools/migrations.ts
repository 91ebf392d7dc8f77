import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const folder = new URL('../src/store/sqlite/migrations/', import.meta.url)
const target = new URL('../src/store/sqlite/migrations.generated.ts', import.meta.url)

/** The text of `migrations.generated.ts`: what drizzle-kit wrote, as the program carries it.
 *  Adds STRICT to every table, which drizzle-kit does not know: a value of the wrong type is refused. */
export function generateMigrations(): string {
  const scripts = readdirSync(folder)
    .filter((name) => name.endsWith('.sql'))
    .sort()
    .map((name) => readFileSync(new URL(name, folder), 'utf8'))
    .map((script) => `  \`${embeddable(script)}\`,\n`)
  return `// Written by tools/migrations.ts from src/store/sqlite/migrations/.

/** SQL scripts; the n-th leads from schema version n - 1 to n. */
export const migrations: readonly string[] = [
${scripts.join('')}]
`
}

function embeddable(script: string): string {
  return script
    .replaceAll('--> statement-breakpoint', '')
    .replaceAll(/^\);$/gm, ') STRICT;')
    .replaceAll('`', '"')
    .trim()
}

if (process.argv[1] === fileURLToPath(import.meta.url)) writeFileSync(target, generateMigrations())

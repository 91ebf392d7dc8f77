import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The SQL that drizzle-kit generated from `schema.ts`. The build replaces this module by the text. */
export const firstMigration = readFileSync(join(import.meta.dirname, 'migrations', '0000_first.sql'), 'utf8')

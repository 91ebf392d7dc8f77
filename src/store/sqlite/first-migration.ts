import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The SQL that drizzle-kit made from `schema.ts`. The build puts its text in place of this module. */
export const firstMigration = readFileSync(join(import.meta.dirname, 'migrations', '0000_first.sql'), 'utf8')

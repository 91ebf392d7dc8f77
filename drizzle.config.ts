import { defineConfig } from 'drizzle-kit'

/** `npx drizzle-kit generate --name first` writes the migration. Until 0.1.0 is released, delete the old one first:
 *  a change of the schema replaces it. */
export default defineConfig({
  dialect: 'sqlite',
  schema: './src/store/sqlite/schema.ts',
  out: './src/store/sqlite/migrations',
})

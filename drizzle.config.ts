import { defineConfig } from 'drizzle-kit'

/** `npx drizzle-kit generate` writes the next migration; `npx tsx tools/migrations.ts` embeds it. */
export default defineConfig({
  dialect: 'sqlite',
  schema: './src/store/sqlite/schema.ts',
  out: './src/store/sqlite/migrations',
})

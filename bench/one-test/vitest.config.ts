import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['*.test.ts'],
    // As in a project that has installed the package: vitest transforms none of it.
    server: { deps: { external: [/\/dist\//] } },
  },
})

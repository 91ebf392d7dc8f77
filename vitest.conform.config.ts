import { defineConfig } from 'vitest/config'

/** Each case of conform against applications in this process, and the reference applications as processes of their
 *  own. */
export default defineConfig({
  test: {
    include: ['test/conform/{cases,matrix,setup}/**/*.test.ts'],
    pool: 'forks',
    isolate: false,
    maxWorkers: '100%',
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
})

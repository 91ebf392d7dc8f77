import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'

/** Each case of conform against applications in this process, and the reference applications as processes of their
 *  own. */
export default defineConfig({
  test: {
    include: ['test/conform/{cases,matrix,setup}/**/*.test.ts'],
    pool: 'forks',
    isolate: false,
    // They wait more than they compute, and judge by time: a little more than there are cores, where these are few.
    maxWorkers: Math.max(3, availableParallelism()),
    testTimeout: 300_000,
    hookTimeout: 300_000,
  },
})

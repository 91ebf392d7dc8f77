import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'

/** Whole runs have to end in time, so they have the machine to themselves. */
const wholeRuns = 'test/conform/matrix/whole-runs.test.ts'
const shared = { pool: 'forks', isolate: false, testTimeout: 300_000, hookTimeout: 300_000 } as const

/** Each case of conform against applications in this process, and the reference applications as processes of their
 *  own. */
export default defineConfig({
  test: {
    projects: [
      {
        test: {
          ...shared,
          name: 'cases',
          include: ['test/conform/{cases,matrix,setup}/**/*.test.ts'],
          exclude: [wholeRuns],
          // They wait more than they compute, and judge by time: a little more than there are cores, where these are few.
          maxWorkers: Math.max(3, availableParallelism()),
          sequence: { groupOrder: 0 },
        },
      },
      {
        test: {
          ...shared,
          name: 'whole runs',
          include: [wholeRuns],
          maxWorkers: 1,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
})

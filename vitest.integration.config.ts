import { defineConfig } from 'vitest/config'
import { beginningWith } from './test/support/beginning-with.ts'

/** What installs packages, builds images or runs other languages: minutes. */
export default defineConfig({
  test: {
    include: ['test/integration/**/*.test.ts'],
    globalSetup: ['test/integration/support/shared-folder.ts'],
    // Each of them is the work of several processes.
    maxWorkers: 2,
    sequence: {
      sequencer: beginningWith(
        'test/integration/examples/examples.test.ts',
        'test/integration/container/image.test.ts',
      ),
    },
    // Of the tests that say of themselves that they may run side by side.
    maxConcurrency: 3,
    testTimeout: 600_000,
    hookTimeout: 600_000,
  },
})

import { defineConfig } from 'vitest/config'

/** What installs packages, builds images or runs other languages: minutes, and one after the other. */
export default defineConfig({
  test: {
    include: ['test/integration/**/*.test.ts'],
    globalSetup: ['test/integration/support/shared-folder.ts'],
    fileParallelism: false,
    // Of the tests that say of themselves that they may run side by side.
    maxConcurrency: 3,
    testTimeout: 300_000,
    hookTimeout: 300_000,
  },
})

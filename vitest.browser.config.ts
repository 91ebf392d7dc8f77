import { defineConfig } from 'vitest/config'
import { beginningWith } from './test/support/beginning-with.ts'

/** Those that take a minute or more, the longest first. */
const longest = ['payment', 'pages', 'hostile-texts'].map((name) => `test/browser/${name}.test.ts`)

export default defineConfig({
  test: {
    include: ['test/browser/**/*.test.ts'],
    globalSetup: ['test/browser/support/chromium.ts'],
    pool: 'forks',
    isolate: false,
    // Beside each test file works the browser, which has processes of its own.
    maxWorkers: 3,
    sequence: { sequencer: beginningWith(...longest) },
    testTimeout: 30_000,
    hookTimeout: 30_000,
  },
})

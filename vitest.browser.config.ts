import { availableParallelism } from 'node:os'
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
    maxWorkers: Math.min(3, availableParallelism()),
    sequence: { sequencer: beginningWith(...longest) },
    // The longest look at hundreds of pages. What hangs within a page is ended by Playwright after half a minute.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    // A page follows within half a second, on a machine that has nothing else to do.
    expect: { poll: { timeout: 10_000 } },
  },
})

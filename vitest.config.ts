import { availableParallelism } from 'node:os'
import { defineConfig, type TestProjectConfiguration } from 'vitest/config'
import { beginningWith } from './test/support/beginning-with.ts'

const minutes = (count: number) => ({ testTimeout: count * 60_000, hookTimeout: count * 60_000 })
const atMost3 = Math.min(3, availableParallelism())

/** What `npm test` runs. */
const unit: TestProjectConfiguration = {
  test: {
    name: 'unit',
    include: ['test/**/*.test.ts'],
    exclude: [
      'test/hard/**',
      'test/browser/**',
      'test/integration/**',
      'test/conform/{cases,matrix,setup}/**',
    ],
    setupFiles: ['test/support/one-seed.ts'],
    // As fast as threads here, and a test may change its own process: folder, environment, signals.
    pool: 'forks',
    // Four times faster: a worker keeps its modules from file to file. They hold no state.
    isolate: false,
    // All cores; vitest itself would leave one to the process that only gathers what the others report.
    maxWorkers: '100%',
    // Bounds for what hangs. A virtual machine may be three times slower from one hour to the next.
    ...minutes(0.5),
    expect: { poll: { timeout: 10_000 } },
    sequence: { groupOrder: 0 },
  },
}

/** The same on a store behind a wire (`test/support/store.ts`): of each of these folders a sample, or with
 *  `WIRE_SIZE=whole` everything. */
const sample = {
  api: ['faults/held'],
  control: ['{clocks,removal,reset,restore-meanwhile}'],
  lifecycle: ['*'],
  model: ['*'],
  requirements: ['{duplicates,lookups,subscription}'],
  time: ['*'],
  webhooks: ['{delivery,outbox}'],
}
const wire: TestProjectConfiguration = {
  test: {
    ...unit.test,
    name: 'wire',
    include: Object.entries(sample).flatMap(([folder, files]) =>
      (process.env.WIRE_SIZE === 'whole' ? ['**/*'] : files).map((file) => `test/${folder}/${file}.test.ts`),
    ),
    env: { POE_TEST_STORE: process.env.POE_TEST_STORE ?? 'wired' },
    sequence: { groupOrder: 7 },
  },
}

const browser: TestProjectConfiguration = {
  test: {
    name: 'browser',
    include: ['test/browser/**/*.test.ts'],
    globalSetup: ['test/browser/support/chromium.ts'],
    pool: 'forks',
    isolate: false,
    // Beside each test file works the browser, which has processes of its own.
    maxWorkers: atMost3,
    // The longest look at hundreds of pages. What hangs within a page is ended by Playwright after half a minute.
    ...minutes(5),
    // A page follows within half a second, on a machine that has nothing else to do.
    expect: { poll: { timeout: 10_000 } },
    sequence: { groupOrder: 1 },
  },
}

/** They have to end in time, so they have the machine to themselves. */
const wholeRuns = 'test/conform/matrix/whole-runs.test.ts'

/** Each case of conform against applications in this process, and the reference applications as processes of their
 *  own. */
const conform: TestProjectConfiguration[] = [
  {
    test: {
      name: 'conform cases',
      include: ['test/conform/{cases,matrix,setup}/**/*.test.ts'],
      exclude: [wholeRuns],
      pool: 'forks',
      isolate: false,
      // They wait more than they compute, and judge by time: some more than there are cores, where these are few.
      maxWorkers: Math.max(4, availableParallelism()),
      ...minutes(5),
      sequence: { groupOrder: 2 },
    },
  },
  {
    test: {
      name: 'conform whole runs',
      include: [wholeRuns],
      pool: 'forks',
      isolate: false,
      maxWorkers: 1,
      ...minutes(5),
      sequence: { groupOrder: 3 },
    },
  },
]

/** What measures how quickly something is done: side by side they would measure each other. */
const alone = [
  'test/hard/{burst,control-bodies,disk-full,kill-nine,limits,load}.test.ts',
  'test/hard/{never-idle,one-bad-receiver,slowhttptest}.test.ts',
]

// Bounds for what hangs: the longest of them takes minutes at its whole size on a slow machine.
const hard: TestProjectConfiguration[] = [
  {
    test: {
      name: 'hard side by side',
      include: ['test/hard/**/*.test.ts'],
      exclude: alone,
      // They count, and some only wait for a time-out. Those come first, so that others work meanwhile.
      maxWorkers: Math.min(5, 2 + availableParallelism()),
      ...minutes(15),
      sequence: { groupOrder: 4 },
    },
  },
  {
    test: {
      name: 'hard alone',
      include: alone,
      fileParallelism: false,
      ...minutes(15),
      sequence: { groupOrder: 5 },
    },
  },
]

/** What installs packages, builds images or runs other languages: minutes. */
const integration: TestProjectConfiguration = {
  test: {
    name: 'integration',
    include: ['test/integration/**/*.test.ts'],
    globalSetup: ['test/integration/support/shared-folder.ts'],
    // Each of them is the work of several processes, or waits for one.
    maxWorkers: 3,
    // Of the tests that say of themselves that they may run side by side.
    maxConcurrency: 3,
    ...minutes(10),
    sequence: { groupOrder: 6 },
  },
}

/** Without `--project` the unit tests alone: the others take minutes and want a built program. */
const areNamed = process.argv.some((argument) => argument.startsWith('--project'))

/** Of each suite those that take half a minute or more: what only waits, then the longest. */
const longest = [
  ...['browser/payment', 'browser/pages', 'browser/hostile-texts'],
  ...['hard/wapiti', 'hard/slow-senders', 'hard/slow-bodies', 'hard/fresh-clone', 'hard/model', 'hard/fuzz'],
  ...['hard/snapshot-whole', 'hard/kill-reset', 'hard/kill-points', 'hard/kill-checkpoint'],
  ...['conform/matrix/webhook-only', 'integration/examples/examples', 'integration/container/image'],
].map((name) => `test/${name}.test.ts`)

export default defineConfig({
  test: {
    projects: areNamed ? [unit, wire, browser, ...conform, ...hard, integration] : [unit],
    sequence: { sequencer: beginningWith(...longest) },
    coverage: { provider: 'v8', include: ['src/**'] },
  },
})

import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    setupFiles: ['test/support/one-seed.ts'],
    exclude: [
      'test/hard/**',
      'test/browser/**',
      'test/integration/**',
      'test/conform/{cases,matrix,setup}/**',
    ],
    // As quick as threads here, and a test may change its own process: folder, environment, signals.
    pool: 'forks',
    // Four times quicker: a worker keeps its modules from file to file. They hold no state.
    isolate: false,
    // All cores; vitest itself would leave one to the process that only gathers what the others report.
    maxWorkers: '100%',
    // Bounds for what hangs. A virtual machine may be three times slower from one hour to the next.
    testTimeout: 30_000,
    hookTimeout: 30_000,
    expect: { poll: { timeout: 10_000 } },
    coverage: { provider: 'v8', include: ['src/**'] },
  },
})

import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/hard/**/*.test.ts'],
    // They load the machine and measure it: side by side they would measure each other.
    fileParallelism: false,
    testTimeout: 300_000,
    hookTimeout: 300_000,
  },
})

import { defineConfig } from 'vitest/config'

/** They ask or kill one program at a time and measure nothing but how often: three of them leave no core idle. */
const sideBySide = [
  'test/hard/kill-{start,reset,points,checkpoint,faults}.test.ts',
  'test/hard/{clock-worlds,files,fresh-clone,fuzz}.test.ts',
]
const minutes = { testTimeout: 300_000, hookTimeout: 300_000 }

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          ...minutes,
          name: 'side by side',
          include: sideBySide,
          maxWorkers: 3,
          sequence: { groupOrder: 0 },
        },
      },
      {
        test: {
          ...minutes,
          name: 'alone',
          include: ['test/hard/**/*.test.ts'],
          exclude: sideBySide,
          // They load the machine and measure it: side by side they would measure each other.
          fileParallelism: false,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
})

import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { beginningWith } from './test/support/beginning-with.ts'

/** They ask or kill one program at a time and measure nothing but how often: three of them leave no core idle. */
const sideBySide = [
  'test/hard/kill-{start,reset,points,checkpoint,faults}.test.ts',
  'test/hard/{clock-worlds,files,fresh-clone,fuzz,other-programs}.test.ts',
]
/** They wait more than they work, often with a time-out: not beside what leaves no core idle. */
const waiting = [
  'test/hard/{slow-senders,slow-bodies,wapiti}.test.ts',
  'test/hard/{advance-after-create,clock,other-clients,receiver,receiver-tls,signatures}.test.ts',
]
/** Of each list those that take half a minute or more, the longest first. */
const longest = [
  ...['fuzz', 'kill-start', 'kill-reset', 'fresh-clone', 'kill-points', 'kill-checkpoint'],
  ...['wapiti', 'slow-senders'],
].map((name) => `test/hard/${name}.test.ts`)
/** Bounds for what hangs: the longest of them takes more than four minutes on a slow machine. */
const minutes = { testTimeout: 900_000, hookTimeout: 900_000 }

export default defineConfig({
  test: {
    sequence: { sequencer: beginningWith(...longest) },
    projects: [
      {
        test: {
          ...minutes,
          name: 'side by side',
          include: sideBySide,
          maxWorkers: Math.min(3, availableParallelism()),
          sequence: { groupOrder: 0 },
        },
      },
      {
        test: {
          ...minutes,
          name: 'waiting',
          include: waiting,
          maxWorkers: 4,
          sequence: { groupOrder: 1 },
        },
      },
      {
        test: {
          ...minutes,
          name: 'alone',
          include: ['test/hard/**/*.test.ts'],
          exclude: [...sideBySide, ...waiting],
          // They load the machine and measure it: side by side they would measure each other. Of kill-nine's short lives,
          // two of five had come to a repeat beside others, nine of ten alone.
          fileParallelism: false,
          sequence: { groupOrder: 2 },
        },
      },
    ],
  },
})

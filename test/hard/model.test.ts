import { randomInt } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import { expect, test } from 'vitest'
import type { Plan, Played } from '../model/runs.ts'
import { type Measured, report } from './support/figures.ts'
import { aFolder } from './support/load.ts'
import { sized } from './support/size.ts'

const plan: Plan = { seed: Number(process.env.MODEL_SEED ?? randomInt(2 ** 31)), runs: 200, commands: 60 }
/** The number of one run, to repeat that alone. */
const only = process.env.MODEL_PATH
const runsMade = sized({ whole: plan.runs, part: 20 })
const numbers = only === undefined ? [...Array(runsMade).keys()] : [Number(only)]
const threadFile = new URL('./support/model-thread.ts', import.meta.url)
const threads = Math.min(numbers.length, availableParallelism())

test(`${numbers.length} lives of ${plan.commands} commands go as the model says`, async () => {
  process.stdout.write(`model: seed ${plan.seed}\n`)
  const begun = performance.now()
  const runs: Played[] = []
  const shares = Array.from({ length: threads }, (_, thread) =>
    numbers.filter((__, index) => index % threads === thread),
  )
  // A thread that is ended within a run leaves its files behind: they go with this folder.
  const env = { ...process.env, TMPDIR: aFolder() }
  // Node by itself reads TypeScript, but no JSX, of which the pages are made.
  const execArgv = ['--import', 'tsx']
  const workers = shares.map(
    (share) => new Worker(threadFile, { env, execArgv, workerData: { plan, numbers: share } }),
  )
  try {
    await Promise.all(workers.map((worker) => ended(worker, (played) => runs.push(played))))
  } finally {
    for (const worker of workers) await worker.terminate()
  }
  const seconds = Math.round((performance.now() - begun) / 1000)
  const measured: Measured = {
    area: 'model',
    promise: 'Whatever is done in whatever order, the emulator does what a small model of it says',
    test: 'test/hard/model.test.ts',
    figures: { runs: runs.length, differences: 0, seed: `${plan.seed}`, seconds, ...counted(runs) },
  }
  // One run that is repeated measures nothing.
  if (only === undefined) report(measured)
  expect(runs).toHaveLength(numbers.length)
})

/** Resolves when a thread has made its runs; rejects with the first difference. */
function ended(worker: Worker, played: (run: Played) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    worker.on('message', played)
    worker.on('error', reject)
    worker.on('exit', () => resolve())
  })
}

/** How much has happened in some runs, and how often each command. */
function counted(runs: readonly Played[]): Record<string, number> {
  const sum = (of: (run: Played) => number) => runs.reduce((total, run) => total + of(run), 0)
  const names = [...new Set(runs.flatMap(({ commands }) => commands))].sort()
  const times = (name: string) => sum(({ commands }) => commands.filter((each) => each === name).length)
  return {
    commands: sum(({ commands }) => commands.length),
    restarts: sum(({ restarts }) => restarts),
    orders: sum(({ orders }) => orders),
    charges: sum(({ charges }) => charges),
    refunds: sum(({ refunds }) => refunds),
    'webhook attempts': sum(({ webhooks }) => webhooks),
    'dead letters': sum(({ dead }) => dead),
    'attempts cut by a crash': sum(({ unanswered }) => unanswered),
    ...Object.fromEntries(names.map((name) => [name, times(name)])),
  }
}

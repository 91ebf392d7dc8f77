import { expect } from 'vitest'
import { type Checkout, isAlive, type Run, until } from './checkout.ts'

/** A program that says which signal ends it. @returns its name */
export function waiting(checkout: Checkout): string {
  checkout.write(
    'waiting.mjs',
    `for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) {
       process.on(signal, () => { console.log('got ' + signal); process.exit(5) })
     }
     setInterval(() => {}, 1000)
     console.log('pid ' + process.ppid + '\\npid ' + process.pid + '\\nwaiting')`,
  )
  return 'waiting.mjs'
}

export async function waitingChild(run: Run): Promise<Run> {
  await run.writes('waiting')
  return run
}

export async function expectNothingLeft(run: Run): Promise<void> {
  expect(run.pids.length).toBeGreaterThan(1)
  await until(() => !run.pids.some(isAlive), `the end of all of ${run.pids}`)
}

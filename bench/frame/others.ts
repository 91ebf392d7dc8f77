import { cpus } from 'node:os'
import { cpuSeconds } from './proc.ts'

/** Begins to watch what other programs compute.
 *  @returns tells how many cores they have had, as a mean. All processes started meanwhile must have ended. NaN where
 *  there is no `/proc` */
export function watchOthers(): () => number {
  const [begun, busy, ours] = [performance.now(), busySeconds(), ourSeconds()]
  return () => {
    const theirs = busySeconds() - busy - (ourSeconds() - ours)
    return Math.max(0, theirs / ((performance.now() - begun) / 1000))
  }
}

const busySeconds = (): number =>
  cpus().reduce((sum, { times }) => sum + times.user + times.nice + times.sys + times.irq, 0) / 1000

function ourSeconds(): number {
  const { own, children } = cpuSeconds('self')
  return own + children
}

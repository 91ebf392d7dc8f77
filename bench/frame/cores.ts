import { spawnSync } from 'node:child_process'
import { availableParallelism } from 'node:os'

const hasTaskset = spawnSync('taskset', ['--version'], { stdio: 'ignore' }).status === 0

/** How many cores servers and load have for themselves, each of the two, so that they do not take them from each other; 0
 *  where that cannot be said and they share all. */
export const coresEach = hasTaskset ? Math.min(2, Math.floor(availableParallelism() / 2)) : 0

/** Whose cores a process runs on. */
export type Side = 'server' | 'load'

/** The command that runs another one on the cores of its side. */
export function onCores(side: Side, command: readonly string[]): string[] {
  if (coresEach === 0) return [...command]
  const first = side === 'server' ? 0 : coresEach
  return ['taskset', '--cpu-list', `${first}-${first + coresEach - 1}`, ...command]
}

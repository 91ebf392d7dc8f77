import { spawnSync } from 'node:child_process'
import { availableParallelism } from 'node:os'

const hasTaskset = spawnSync('taskset', ['--version'], { stdio: 'ignore' }).status === 0

/** How many cores servers and load have for themselves, each of the two, so that they do not take them from each other; 0
 *  where that cannot be said and they share all. */
export const coresEach = hasTaskset ? Math.min(2, Math.floor(availableParallelism() / 2)) : 0

/** Whose cores a process runs on.
 *
 *  A start has no load beside it, so what is `started` has two cores wherever there are two: Node has threads of its own
 *  that read and compile. Its `starter`, which asks it every millisecond whether it answers, may take neither of them from
 *  it: where there are only these two, the system places both. Held on one of them, starts took a quarter longer. */
export type Side = 'server' | 'load' | 'started' | 'starter'

const load = `${coresEach}-${2 * coresEach - 1}`

const cores: Readonly<Record<Side, string>> = {
  server: `0-${coresEach - 1}`,
  load,
  started: '0-1',
  starter: coresEach > 1 ? load : '0-1',
}

/** The command that runs another one on the cores of its side. */
export const onCores = (side: Side, command: readonly string[]): string[] =>
  coresEach === 0 ? [...command] : ['taskset', '--cpu-list', cores[side], ...command]

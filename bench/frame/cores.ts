import { spawnSync } from 'node:child_process'
import { availableParallelism } from 'node:os'

const hasTaskset = spawnSync('taskset', ['--version'], { stdio: 'ignore' }).status === 0

/** How many cores servers and load have for themselves, each of the two, so that they do not take them from each other; 0
 *  where that cannot be said and they share all. */
export const coresEach = hasTaskset ? Math.min(2, Math.floor(availableParallelism() / 2)) : 0

/** Whose cores a process runs on. `alone`: beside it there is no load, so it has two cores wherever there are two. A start
 *  needs them: Node has threads of its own that read and compile. */
export type Side = 'server' | 'load' | 'alone'

const cores: Readonly<Record<Side, string>> = {
  server: `0-${coresEach - 1}`,
  load: `${coresEach}-${2 * coresEach - 1}`,
  alone: '0-1',
}

/** The command that runs another one on the cores of its side. */
export const onCores = (side: Side, command: readonly string[]): string[] =>
  coresEach === 0 ? [...command] : ['taskset', '--cpu-list', cores[side], ...command]

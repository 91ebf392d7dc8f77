import { spawnSync } from 'node:child_process'
import { availableParallelism } from 'node:os'

/** Whether servers and load get cores of their own, so that they do not take them from each other. */
export const pinned =
  availableParallelism() >= 4 && spawnSync('taskset', ['--version'], { stdio: 'ignore' }).status === 0

const cores = { server: '0,1', load: '2,3' }

/** Whose cores a process runs on. */
export type Side = keyof typeof cores

/** The command that runs another one on the cores of its side. */
export const onCores = (side: Side, command: readonly string[]): string[] =>
  pinned ? ['taskset', '--cpu-list', cores[side], ...command] : [...command]

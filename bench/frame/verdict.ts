import { availableParallelism } from 'node:os'
import { type Goal, goals } from '../goals.ts'
import type { Figure, Outcome } from './section.ts'
import { median } from './statistics.ts'

const thisMachine = availableParallelism()

/** Figures in time are meant for four cores; fewer may take three times as long. */
const [fullCores, allowance] = [4, 3]

/** Says whether a figure reaches its must. Empty for what has none; NaN misses. */
export function verdictOf({ goal: name, values }: Figure, cores = thisMachine): '' | 'ok' | 'MISSED' {
  const goal: Goal = goals[name]
  if (goal.must === null) return ''
  const inTime = goal.unit === 'ms' || goal.unit === '/s'
  const factor = inTime && cores < fullCores ? allowance : 1
  const value = median(values)
  const reached = goal.better === 'higher' ? value >= goal.must / factor : value <= goal.must * factor
  return reached ? 'ok' : 'MISSED'
}

/** Whether every section was measured and no must was missed. */
export const allOk = (outcomes: readonly Outcome[]): boolean =>
  outcomes.every(
    ({ figures, failure }) =>
      failure === undefined && figures.every((figure) => verdictOf(figure) !== 'MISSED'),
  )

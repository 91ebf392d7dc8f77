import { effectWords } from '../order/effects.ts'
import type { Effect, Scenario, ScenarioStep } from './scenario.ts'

/** A step of a scenario, as far as it is known without an order. */
export interface OutlinedStep {
  /** Time since the creation of the order; null if it depends on the payer, a lookup or a date of the order. */
  readonly afterMs: number | null
  readonly what: string
  /** The status of the order after it; null if it stays. */
  readonly orderStatus: string | null
}

/** Outlines a scenario for a list, without rehearsing it. */
export function outlineOf({ timeline }: Pick<Scenario, 'timeline'>): OutlinedStep[] {
  let before: number | null = 0
  return timeline.map(({ when, effects }) => {
    before = afterOf(when, before)
    return { afterMs: before, what: effectWords(effects), orderStatus: statusAfter(effects) }
  })
}

function afterOf(when: ScenarioStep['when'], before: number | null): number | null {
  if ('on' in when) return null
  if (when.since === 'creation') return when.offsetMs
  return when.since === 'step' && before !== null ? before + when.offsetMs : null
}

const statusAfter = (effects: readonly Effect[]): string | null =>
  effects.reduce<string | null>((status, effect) => {
    if (effect.do === 'order') return effect.status
    return effect.do === 'pay' && effect.outcome === 'failed' ? 'FAILED' : status
  }, null)

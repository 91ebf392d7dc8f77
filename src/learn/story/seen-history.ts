import type { HistoryEntry } from '../../domain/order/order.ts'
import type { Scenario } from '../../domain/scenario/scenario.ts'
import type { EpochMs } from '../../domain/text/time.ts'
import type { Change, StatusChange } from './seen-changes.ts'

/** A scenario in which nothing happens. */
export const blank: Scenario = {
  id: 'seen',
  description: '',
  tests: '',
  for: null,
  timeline: [],
  charges: [],
  begin: null,
  webhooks: [],
  answers: [],
  random: null,
  settings: {},
  trialMs: null,
  clock: null,
}

/** The history of an order: each change is a step of its scenario, except for the first charge of a subscription. */
export function historyOf(
  changes: readonly Change[],
  createdAt: EpochMs,
  charged: StatusChange | undefined,
): HistoryEntry[] {
  const entries = changes.flatMap(({ at, effects }, step) =>
    effects.map((effect): HistoryEntry => {
      if (effect.do === 'order') return { at, what: 'order', to: effect.status, step }
      return { at, what: effect.do === 'pay' ? 'paid' : 'step', step }
    }),
  )
  const charge = charged === undefined ? [] : [{ at: charged.at, what: 'order', to: charged.status }]
  return [{ at: createdAt, what: 'created', to: 'CREATED' }, ...entries, ...charge].toSorted(
    (a, b) => a.at - b.at,
  )
}

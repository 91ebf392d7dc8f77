import type { Order } from '../order.ts'
import { plannedSteps, stepsOf } from '../plan.ts'
import type { LookupName, Scenario } from '../scenario/scenario.ts'
import { isTerminal } from '../statuses.ts'
import type { EpochMs } from '../time.ts'

/** Something that a scenario waits for, and that is assumed to come. */
export type AssumedAct =
  | { readonly who: 'payer'; readonly at: EpochMs }
  | {
      readonly who: 'lookup'
      readonly at: EpochMs
      readonly lookup: LookupName
      /** Which lookup of the order it is, from 1. */
      readonly n: number
    }

/** A payer takes so long. */
const payerTakesMs = 60_000
/** An application looks an order up so often. */
const lookupEveryMs = 10_000

/** What somebody is assumed to do next, because the scenario waits for it: a payer pays after a minute (or when the
 *  plan says so), the application looks the order up every ten seconds.
 *  @param since when something last happened to the order */
export function assumedAct(order: Order, scenario: Scenario, since: EpochMs): AssumedAct | null {
  const step = plannedSteps(order, scenario)[order.nextStep]
  if (step === undefined) return null
  const pays = step.effects.some((effect) => effect.do === 'pay')
  if (step.waitsFor === 'payer' || (order.waitsForPayer && pays)) {
    if (order.paidAt !== null || isTerminal(order.orderStatus)) return null
    return { who: 'payer', at: step.dueAt ?? since + payerTakesMs }
  }
  const when = stepsOf(order, scenario)[order.nextStep]?.when
  if (when === undefined || !('on' in when) || when.on !== 'lookup' || order.lookups === null) return null
  const counts = Object.values(order.lookups)
  const n = counts.reduce((sum, count) => sum + count, 0) + 1
  const lookup = when.of ?? (order.kind === 'crypto-payin' ? 'crypto-orders' : 'orders')
  return { who: 'lookup', at: since + lookupEveryMs, lookup, n }
}

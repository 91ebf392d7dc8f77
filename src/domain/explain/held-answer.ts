import type { OrderKind } from '../order.ts'
import { rulesFor, verdictOf } from '../scenario/answer-faults.ts'
import type { Scenario } from '../scenario/scenario.ts'

/** A caller whose call is never answered gives up after so long. */
const callerWaitsMs = 60_000

/** How long the answer of the create call is held that makes an order; its first webhook waits for that.
 *  @param key what tells the order: seed, clientId, requestId */
export function answerHeldMs(
  scenario: Scenario,
  kind: OrderKind,
  key: readonly [seed: string, clientId: string, requestId: string],
): number {
  if (kind === 'payout' || kind === 'crypto-payin') return 0
  const operation = kind === 'subscription' ? 'create-subscription-order' : 'create-checkout-order'
  const rules = rulesFor(scenario, { operation, when: 'stored' }, key)
  const effect = rules.find(({ rule }) => verdictOf(rule, null, 0) === 'answers')?.rule.effect
  if (effect === undefined) return 0
  return effect.delayMs + (effect.leaves === 'never' ? (effect.closedAfterMs ?? callerWaitsMs) : 0)
}

import type { FaultStage } from '../faults/answer/answer-fault.ts'
import { effectNotes } from '../faults/answer/answer-faults.ts'
import { wordFor } from '../journal/call-words.ts'
import type { Operation } from '../journal/entry.ts'
import type { EpochMs } from '../text/time.ts'
import type { AnswerRule, Scenario } from './scenario.ts'
import { pickedParts } from './scenario.ts'

/** The note of a fault in the request log: `fault: create-order stored, 500 instead of 200 (scenario x, 1 of 1)`;
 *  with the id of a planned fault. */
export function faultNote({ rule, operation, by, n }: AppliedRule): string {
  const count = rule.times === null ? `call ${n}` : `${n} of ${rule.times}`
  return `fault: ${wordFor(rule.on, operation)} ${rule.when}, ${effectNotes(rule.effect, rule.when).join(', ')} (${by}, ${count})`
}

/** A rule, and the name under which its calls are counted. */
export interface CountedRule {
  /** The name of the rule: its position `0`, `1`, ... in the scenario, or `<part>/0` in a random mix. */
  readonly name: string
  readonly rule: AnswerRule
}

/** How often a rule has matched. */
export interface RuleCount {
  readonly calls: number
  /** The time of the first counted call, on the client's clock. */
  readonly since: EpochMs
}

/** A rule that applies to a call. */
export interface AppliedRule {
  readonly rule: AnswerRule
  readonly operation: Operation
  /** The client of the call; null if unknown. */
  readonly clientId: string | null
  readonly requestId: string | null
  /** The source of the rule: `scenario x`, or the id of a planned fault. */
  readonly by: string
  /** The number of the call among those answered by the rule, from 1. */
  readonly n: number
}

/** Whether a scenario has rules for answers. Checked at every call. */
export function answersCalls({ answers, random }: Scenario): boolean {
  return answers.length > 0 || (random?.from.some((part) => part.answers.length > 0) ?? false)
}

/** The rules that match a call at a stage, in order; those of the order's random mix come last.
 *  @param key the seed, clientId and requestId of the order */
export function rulesFor(
  scenario: Scenario,
  call: { operation: Operation; when: FaultStage; orders?: 'open' | 'final' | undefined },
  key: readonly [seed: string, clientId: string, requestId: string],
): CountedRule[] {
  const own = scenario.answers.map((rule, index) => ({ name: String(index), rule }))
  const picked = pickedParts(scenario, key).flatMap((part) =>
    part.answers.map((rule, index) => ({ name: `${part.name}/${index}`, rule })),
  )
  return [...own, ...picked].filter(
    ({ rule }) =>
      rule.when === call.when &&
      wordFor(rule.on, call.operation) &&
      (rule.orders === undefined || rule.orders === call.orders),
  )
}

/** Decides about a call that a rule matches: the rule is finished; it counts the call and lets it pass; or it
 *  answers it. */
export function verdictOf(
  { skip, times, forMs }: AnswerRule,
  count: RuleCount | null,
  now: EpochMs,
): 'over' | 'passes' | 'answers' {
  const { calls, since } = count ?? { calls: 0, since: now }
  if (forMs !== null && now >= since + forMs) return 'over'
  if (times !== null && calls >= skip + times) return 'over'
  return calls < skip ? 'passes' : 'answers'
}

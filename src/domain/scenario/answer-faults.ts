import type { Operation } from '../journal/entry.ts'
import { formatDuration } from '../text/duration.ts'
import type { EpochMs } from '../text/time.ts'
import type { AnswerRule, FaultStage, Scenario } from './scenario.ts'
import { pickedParts } from './scenario.ts'

/** What the journal says of a fault: `fault: create-order stored, 500 instead of 200 (scenario x, 1 of 1)`;
 *  of one that was planned its id. */
export function faultNote({ rule, operation, by, n }: AnswerFault): string {
  const count = rule.times === null ? `call ${n}` : `${n} of ${rule.times}`
  return `fault: ${wordFor(rule, operation)} ${rule.when}, ${effectWords(rule)} (${by}, ${count})`
}

function effectWords({ effect, when }: AnswerRule): string {
  const { status, body, headers, delayMs, leaves, closedAfterMs } = effect
  const held = delayMs === 0 ? [] : [`held for ${formatDuration(delayMs)}`]
  const patience = closedAfterMs === null ? '' : `, closed after ${formatDuration(closedAfterMs)}`
  const way = {
    whole: [],
    cut: ['cut after half the body'],
    reset: ['connection reset'],
    never: [`no answer${patience}`],
  }[leaves]
  const instead = when === 'stored' ? ' instead of 200' : ', nothing stored'
  const said = status !== null ? [`${status}${instead}`] : body !== null ? ['another body'] : []
  const added = said.length === 0 && Object.keys(headers).length > 0 ? ['other headers'] : []
  const shown = effect.shows === undefined ? [] : [showing[effect.shows]]
  const waits = effect.afterWebhook ? ['answered after the first webhook'] : []
  const slow = effect.wallMs === undefined ? [] : ['answered slowly']
  return [...held, ...slow, ...waits, ...said, ...shown, ...added, ...way].join(', ')
}

const showing = {
  'new-fields': 'with unknown fields',
  behind: 'still shows CREATED',
  'unknown-status': 'shows an unknown status',
} as const

/** A rule, and what its calls are counted under. */
export interface CountedRule {
  /** Its place in the scenario: `0`, `1`, ..., and `<part>/0` within a random mix. */
  readonly name: string
  readonly rule: AnswerRule
}

/** How often a rule has been met so far. */
export interface RuleCount {
  readonly calls: number
  /** When the first of these calls came, on the client's clock. */
  readonly since: EpochMs
}

/** A rule that answers a call. */
export interface AnswerFault {
  readonly rule: AnswerRule
  readonly operation: Operation
  /** null: of nobody who is known. */
  readonly clientId: string | null
  readonly requestId: string | null
  /** Whose rule it is: `scenario x`, or the id of a planned fault. */
  readonly by: string
  /** Which of the rule's calls this is, from 1; those that were let pass first are not counted. */
  readonly n: number
}

/** Whether a scenario has a say in how calls are answered. Asked for every call. */
export function answersCalls({ answers, random }: Scenario): boolean {
  return answers.length > 0 || (random?.from.some((part) => part.answers.length > 0) ?? false)
}

/** The rules that fit a call at a stage, in their order; those of the random mix that the order gets come last.
 *  @param key what tells the order: seed, clientId, requestId */
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
      wordFor(rule, call.operation) &&
      (rule.orders === undefined || rule.orders === call.orders),
  )
}

/** What becomes of a call that a rule fits: the rule is over and counts no more; it counts the call and lets it pass;
 *  or it answers it. */
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

/** The word with which a rule names an operation: its own, or `create-order` for both creates. */
export function wordFor({ on }: AnswerRule, operation: Operation): string | undefined {
  const creates = operation === 'create-checkout-order' || operation === 'create-subscription-order'
  return on.find((word) => word === operation || (creates && word === 'create-order'))
}

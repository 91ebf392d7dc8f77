import { effectWords } from '../faults/answer/answer-faults.ts'
import type { AnswerRule, WebhookRule } from '../scenario/scenario.ts'
import { formatDuration } from '../text/duration.ts'
import { isMapping } from '../text/objects.ts'
import type { DeliveryPlan } from '../webhook/delivery.ts'
import { faultsAt } from '../webhook/faults/attempt-faults.ts'

/** Describes a rule of webhooks: `COMPLETED: delay 40m`. */
export function webhookRuleWords({ of, ...rule }: WebhookRule): string {
  return `${of ?? 'every webhook'}: ${memberWords(rule) || 'as usual'}`
}

/** Describes a rule of answers: `create-order, once all is stored: status 500, the first time`. */
export function answerRuleWords({ on, when, effect, skip, times, forMs }: AnswerRule): string {
  const limits = [
    ...(skip > 0 ? [`after ${skip} normal answers`] : []),
    timesWords(times),
    ...(forMs === null ? [] : [`for ${formatDuration(forMs)}`]),
  ]
  return `${on.join(', ')}, ${moments[when]}: ${[...effectWords(effect), ...limits].join(', ')}`
}

const moments = {
  unchecked: 'before any check',
  before: 'before anything is stored',
  stored: 'after everything is stored',
} as const

function timesWords(times: number | null): string {
  if (times === null) return 'always'
  return times === 1 ? 'the first time' : `the first ${times} times`
}

/** Describes the faults of a webhook's attempts; empty for none. */
export function planWords(plan: DeliveryPlan | null): string {
  // Settings are no fault, and a delay shows in the timetable.
  const { settings: _settings, delayed: _delayed, delayMs: _delayMs, ...misbehaviour } = plan ?? {}
  return memberWords(misbehaviour)
}

/** Describes the faults of one attempt; empty for none.
 *  @param attempt its number, from 1 */
export const attemptWords = (plan: DeliveryPlan | null, attempt: number): string =>
  memberWords(faultsAt(plan, attempt))

/** Lists the fields of a rule by their names in files, leaving out false, zero, null and empty values. */
function memberWords(rule: object): string {
  return Object.entries(rule)
    .filter(([, value]) => !isSilent(value))
    .map(([name, value]) => `${name.replace(/Ms$/, '')}${valueWords(name, value)}`)
    .join(', ')
}

function isSilent(value: unknown): boolean {
  if (value === undefined || value === null || value === false || value === 0) return true
  return typeof value === 'object' && Object.keys(value).length === 0
}

function valueWords(name: string, value: unknown): string {
  if (value === true) return ''
  if (typeof value === 'number') return ` ${name.endsWith('Ms') ? spanWords(value) : value}`
  if (Array.isArray(value))
    return `: ${value.map((one) => (isMapping(one) ? memberWords(one) : String(one))).join('; ')}`
  return isMapping(value) ? `: ${memberWords(value)}` : ` ${String(value)}`
}

const spanWords = (ms: number): string => `${ms < 0 ? '-' : ''}${formatDuration(Math.abs(ms))}`

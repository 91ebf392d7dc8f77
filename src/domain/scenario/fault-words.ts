import { formatDuration } from '../duration.ts'
import { type AnswerFault, wordFor } from './answer-faults.ts'
import type { AnswerRule } from './answer-rules.ts'

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

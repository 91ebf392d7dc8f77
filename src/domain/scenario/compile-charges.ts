import { orList } from '../issue-words.ts'
import { finalOrderStatuses } from '../statuses.ts'
import type { ChargeRule } from './scenario.ts'
import { slipIn } from './status-slip.ts'
import type { StepText, Tell } from './step-text.ts'

/** Whether a line is about charges of a subscription, which come beside the timeline. */
export const isAboutCharges = ({ every, charge }: StepText): boolean =>
  every !== undefined || charge !== undefined

/** The rule that a line about charges gives.
 *  @param before the rules of the lines before it
 *  @returns null if it is too wrong for one; `tell` has heard why */
export function chargeRule(text: StepText, before: readonly ChargeRule[], tell: Tell): ChargeRule | null {
  checkMembers(text, tell)
  if (text.order === undefined) {
    const ends = finalOrderStatuses.map((status) => `\`order: ${status}\``)
    tell(`does not say how the charge ends; write ${orList(ends)}`)
    return null
  }
  const outcome = { status: text.order, errorCode: text.error ?? null, afterMs: text.after ?? 0 }
  if (text.every !== undefined) {
    const { from = 1, times } = text
    return { ...outcome, from, to: times === undefined ? null : from + times - 1, recurs: true }
  }
  const { charge = 1 } = text
  if (!before.some(({ recurs, from, to }) => recurs && from <= charge && charge <= (to ?? charge))) {
    tell(
      `charge ${charge} never happens: no line with \`every: interval\` before this one starts it`,
      'charge',
    )
  }
  return { ...outcome, from: charge, to: charge, recurs: false }
}

function checkMembers(text: StepText, tell: Tell): void {
  const { every, charge, at, lookup, error, order, from, times } = text
  if (every !== undefined && charge !== undefined) tell('needs either `every: interval` or one `charge`')
  if (at !== undefined || lookup !== undefined) {
    tell('a charge is due on its own date; use `after` to delay its result', at ? 'at' : 'lookup')
  }
  if (every === undefined && from !== undefined) tell('needs `every: interval`', 'from')
  if (every === undefined && times !== undefined) tell('needs `every: interval`', 'times')
  const slip = slipIn(order ?? '')
  if (slip !== undefined) tell(slip, 'order')
  if (error !== undefined && order !== 'FAILED') tell('only a FAILED charge has an error code', 'error')
  for (const name of Object.keys(text)) if (!known.has(name)) tell('cannot be combined with a charge', name)
}

const known: ReadonlySet<string> = new Set<keyof StepText>([
  ...(['every', 'charge', 'from', 'times', 'order', 'error', 'after', 'at', 'lookup'] as const),
])

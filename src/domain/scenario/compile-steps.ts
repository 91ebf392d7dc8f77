import { finalOrderStatuses, isTerminal, likelyTypo } from '../order/statuses.ts'
import { orList } from '../text/issue-words.ts'
import type { ChargeRule, Effect, ScenarioStep, When } from './scenario.ts'
import type { ReportProblem, StepText } from './step-text.ts'

/** Whether a line is about charges of a subscription, which are separate from the timeline. */
const isAboutCharges = ({ every, charge }: StepText): boolean => every !== undefined || charge !== undefined

/** Converts a line about charges to a rule.
 *  @param before the rules of earlier lines
 *  @returns null for an invalid line, which `tell` has reported */
function chargeRule(text: StepText, before: readonly ChargeRule[], report: ReportProblem): ChargeRule | null {
  checkChargeFields(text, report)
  if (text.order === undefined) {
    const ends = finalOrderStatuses.map((status) => `\`order: ${status}\``)
    report(`does not say how the charge ends; write ${orList(ends)}`)
    return null
  }
  const outcome = { status: text.order, errorCode: text.error ?? null, afterMs: text.after ?? 0 }
  if (text.every !== undefined) {
    const { from = 1, times } = text
    return { ...outcome, from, to: times === undefined ? null : from + times - 1, recurs: true }
  }
  const { charge = 1 } = text
  if (!before.some(({ recurs, from, to }) => recurs && from <= charge && charge <= (to ?? charge))) {
    report(
      `charge ${charge} never happens: no line with \`every: interval\` before this one starts it`,
      'charge',
    )
  }
  return { ...outcome, from: charge, to: charge, recurs: false }
}

function checkChargeFields(text: StepText, report: ReportProblem): void {
  const { every, charge, at, lookup, error, order, from, times } = text
  if (every !== undefined && charge !== undefined) report('needs either `every: interval` or one `charge`')
  if (at !== undefined || lookup !== undefined) {
    report('a charge is due on its own date; use `after` to delay its result', at ? 'at' : 'lookup')
  }
  if (every === undefined && from !== undefined) report('needs `every: interval`', 'from')
  if (every === undefined && times !== undefined) report('needs `every: interval`', 'times')
  const slip = likelyTypo(order ?? '')
  if (slip !== undefined) report(slip, 'order')
  if (error !== undefined && order !== 'FAILED') report('only a FAILED charge has an error code', 'error')
  for (const name of Object.keys(text)) if (!known.has(name)) report('cannot be combined with a charge', name)
}

const known: ReadonlySet<string> = new Set<keyof StepText>([
  ...(['every', 'charge', 'from', 'times', 'order', 'error', 'after', 'at', 'lookup'] as const),
])

/** Converts written steps to the order's steps and the rules of its charges. */
export function compileSteps(
  texts: readonly StepText[],
  problem: (index: number, message: string, ...member: string[]) => void,
): { timeline: ScenarioStep[]; charges: ChargeRule[] } {
  const timeline: ScenarioStep[] = []
  const charges: ChargeRule[] = []
  const sofar: SoFar = { offsetMs: 0, finalAt: null, paid: false, completed: false, refunded: false }
  for (const [index, text] of texts.entries()) {
    const report: ReportProblem = (message, ...member) => problem(index, message, ...member)
    if (isAboutCharges(text)) {
      const rule = chargeRule(text, charges, report)
      if (rule !== null) charges.push(rule)
      if (rule?.recurs && rule.from === 1) sofar.completed = true
      continue
    }
    const when = whenOf(text, sofar, report)
    const effects = effectsOf(text)
    if (effects.length === 0) report(nothingToDo)
    checkMembers(text, report)
    checkStatuses(text, report)
    checkLife(text, sofar, report)
    if (when !== null) timeline.push({ when, effects })
  }
  return { timeline, charges }
}

/** The state of an order after the steps compiled so far. */
interface SoFar {
  /** Time since the creation; null once it depends on an act or on a date of the order. */
  offsetMs: number | null
  finalAt: string | null
  paid: boolean
  /** Whether the order was completed, and whether a refund was started. */
  completed: boolean
  refunded: boolean
}

const nothingToDo = 'a step needs an action: `pay: completed`, `order: <STATUS>`, `refund: all`, ...'
const twoTimes = 'a step has only one time; keep one of `at`, `after` and `lookup`'
const noTime =
  'a step needs a time: `at` (after the creation, or a date of the order), `after` (after the previous step) ' +
  'or `lookup` (at the n-th lookup)'

function whenOf({ at, after, lookup }: StepText, sofar: SoFar, report: ReportProblem): When | null {
  const times = [at, after, lookup].filter((time) => time !== undefined).length
  if (times !== 1) {
    report(times === 0 ? noTime : twoTimes)
    return null
  }
  if (after !== undefined) {
    if (sofar.offsetMs !== null) sofar.offsetMs += after
    return { since: 'step', offsetMs: after }
  }
  if (at !== undefined && 'since' in at && at.since === 'creation') {
    if (sofar.offsetMs !== null && at.offsetMs < sofar.offsetMs) {
      report('is earlier than the previous step; write the steps in the order of their times', 'at')
    }
    sofar.offsetMs = at.offsetMs
    return at
  }
  sofar.offsetMs = null
  return at ?? (lookup === undefined ? null : { on: 'lookup', ...lookup })
}

function effectsOf(text: StepText): Effect[] {
  const { pay, order, error = null, payment, settlement, received, crypto, refund, refundStatus } = text
  const { refundError, metadata, cancel, client, webhook } = text
  const effects: (Effect | false)[] = [
    pay !== undefined && { do: 'pay', outcome: pay, errorCode: pay === 'failed' ? error : null },
    order !== undefined && { do: 'order', status: order, errorCode: order === 'FAILED' ? error : null },
    payment !== undefined && { do: 'payment', status: payment },
    settlement !== undefined && { do: 'settlement', status: settlement },
    received !== undefined && { do: 'received', amount: received },
    crypto !== undefined && { do: 'crypto', shown: crypto.shown ?? null, status: crypto.order ?? null },
    refund !== undefined && { do: 'refund', ...refund },
    refundStatus !== undefined && { do: 'refund-status', status: refundStatus },
    refundError !== undefined && { do: 'refund-error', error: refundError },
    metadata !== undefined && { do: 'metadata', text: JSON.stringify(metadata) },
    cancel !== undefined && { do: 'cancel' },
    client !== undefined && { do: 'client', ...clientEffect(client) },
    webhook !== undefined && { do: 'webhook', webhook },
  ]
  return effects.filter((effect) => effect !== false)
}

function clientEffect(client: NonNullable<StepText['client']>) {
  const { tokens, refuseTokensFor = null, tokenLifetime = null, webhookUrl } = client
  const isText = typeof webhookUrl === 'string' || webhookUrl === null
  return {
    tokensExpire: tokens === 'expired',
    refuseTokensMs: refuseTokensFor,
    tokenLifetimeMs: tokenLifetime,
    webhookUrl: isText ? { set: webhookUrl } : (webhookUrl ?? null),
  }
}

function checkMembers({ error, order, pay, from, times }: StepText, report: ReportProblem): void {
  if (error !== undefined && order !== 'FAILED' && pay !== 'failed') {
    report('only a step with `order: FAILED` or `pay: failed` has an error code', 'error')
  }
  if (from !== undefined) report('needs `every: interval`', 'from')
  if (times !== undefined) report('needs `every: interval`', 'times')
}

function checkStatuses({ order = '', crypto, force }: StepText, report: ReportProblem): void {
  const slips = [
    [likelyTypo(order), ['order']],
    [likelyTypo(crypto?.order ?? ''), ['crypto', 'order']],
  ] as const
  for (const [slip, member] of slips) {
    if (slip !== undefined && force !== true) report(`${slip} Add \`force: true\` if you mean it`, ...member)
  }
}

/** Checks that a refund is of a COMPLETED order (N63), and that its outcome follows a started one. */
function checkRefund({ refund, refundStatus, force }: StepText, sofar: SoFar, report: ReportProblem): void {
  if (refund !== undefined && !sofar.completed && force !== true) {
    report('the order is not COMPLETED by then; add `force: true` if you mean to refund it', 'refund')
  }
  if (refund !== undefined) sofar.refunded = true
  if (refundStatus !== undefined && !sofar.refunded)
    report('no refund begins before this step', 'refundStatus')
}

/** Checks that a step is possible after the steps before (N60). */
function checkLife(text: StepText, sofar: SoFar, report: ReportProblem): void {
  const status = text.order ?? (text.pay === 'failed' ? 'FAILED' : undefined)
  const moves = status !== undefined || text.pay !== undefined
  if (sofar.finalAt !== null && moves && text.force !== true) {
    report(
      `the order is already ${sofar.finalAt}, which is final; add \`force: true\` if you mean to change it`,
    )
  }
  if (text.pay !== undefined && sofar.paid) report('an earlier step has already paid the order', 'pay')
  if (text.pay === 'completed') sofar.paid = true
  if (status === 'COMPLETED') sofar.completed = true
  checkRefund(text, sofar, report)
  if (status !== undefined) sofar.finalAt = isTerminal(status) ? status : null
}

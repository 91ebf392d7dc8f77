import { chargeRule, isAboutCharges } from './compile-charges.ts'
import { type ChargeRule, type Effect, isTerminal, type ScenarioStep, type When } from './scenario.ts'
import type { StepText, Tell } from './step-text.ts'

/** Turns the written steps into those of the order and the rules of its charges. */
export function compileSteps(
  texts: readonly StepText[],
  problem: (index: number, message: string, ...member: string[]) => void,
): { timeline: ScenarioStep[]; charges: ChargeRule[] } {
  const timeline: ScenarioStep[] = []
  const charges: ChargeRule[] = []
  const sofar: SoFar = { offsetMs: 0, finalAt: null, paid: false }
  for (const [index, text] of texts.entries()) {
    const tell: Tell = (message, ...member) => problem(index, message, ...member)
    if (isAboutCharges(text)) {
      const rule = chargeRule(text, charges, tell)
      if (rule !== null) charges.push(rule)
      continue
    }
    const when = whenOf(text, sofar, tell)
    const effects = effectsOf(text)
    if (effects.length === 0) tell(nothingToDo)
    checkMembers(text, tell)
    checkLife(text, effects, sofar, tell)
    if (when !== null) timeline.push({ when, effects })
  }
  return { timeline, charges }
}

/** What the steps before have come to. */
interface SoFar {
  /** Time since the creation; null once it depends on somebody's act or on a date of the order. */
  offsetMs: number | null
  finalAt: string | null
  paid: boolean
}

const nothingToDo = 'a step does something: `pay: completed`, `order: <STATUS>`, `refund: all`, ...'
const noTime =
  'a step needs one time: `at` (since the creation, or a date of the order), `after` (since the step before) ' +
  'or `lookup` (with the n-th lookup)'

function whenOf({ at, after, lookup }: StepText, sofar: SoFar, tell: Tell): When | null {
  if ([at, after, lookup].filter((time) => time !== undefined).length !== 1) {
    tell(noTime)
    return null
  }
  if (after !== undefined) {
    if (sofar.offsetMs !== null) sofar.offsetMs += after
    return { since: 'step', offsetMs: after }
  }
  if (at !== undefined && 'since' in at && at.since === 'creation') {
    if (sofar.offsetMs !== null && at.offsetMs < sofar.offsetMs) {
      tell('is earlier than the step before; write the steps in order of time', 'at')
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

function checkMembers({ error, order, pay, from, times }: StepText, tell: Tell): void {
  if (error !== undefined && order !== 'FAILED' && pay !== 'failed') {
    tell('only a step with `order: FAILED` or `pay: failed` has an error code', 'error')
  }
  if (from !== undefined) tell('goes with `every: interval` only', 'from')
  if (times !== undefined) tell('goes with `every: interval` only', 'times')
}

/** Whether the step fits the life that the steps before describe (N60). */
function checkLife(text: StepText, effects: readonly Effect[], sofar: SoFar, tell: Tell): void {
  const status = text.order ?? (text.pay === 'failed' ? 'FAILED' : undefined)
  const moves = status !== undefined || text.pay !== undefined
  if (sofar.finalAt !== null && moves && text.force !== true) {
    tell(`the order is ${sofar.finalAt} already, which is final; say \`force: true\` if you mean to leave it`)
  }
  if (text.pay !== undefined && sofar.paid) tell('the order has been paid by an earlier step', 'pay')
  if (text.pay === 'completed') sofar.paid = true
  if (effects.some((effect) => effect.do.startsWith('refund')) && status === undefined) {
    // Only a COMPLETED order has been paid for; what a payer may have made of it before is not known here.
    if (sofar.finalAt === 'FAILED') tell('a FAILED order has nothing to refund')
  }
  if (status !== undefined) sofar.finalAt = isTerminal(status) ? status : null
}

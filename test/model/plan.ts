import type { ModelOrder, ModelStep } from './model-order.ts'
import type { ScriptTime } from './script.ts'

/** Works out when the steps to come are due. Those after the payment keep their distance from it; a trial lies
 *  between the two. */
export function scheduled(order: ModelOrder): ModelOrder {
  let before: number | null = order.createdAt
  let isPaidFor = false
  for (const step of order.steps) {
    if (step.doneAt === null) step.dueAt = dueAtOf(step.when, order, { before, isPaidFor })
    const at: number | null = step.doneAt ?? step.dueAt
    const isPayment = step.does.do === 'pay'
    before = at === null ? null : at + (isPayment ? order.trialMs : 0)
    isPaidFor ||= isPayment
  }
  return order
}

function dueAtOf(
  when: ScriptTime,
  { createdAt, expiresAt, lateMs, trialMs, subscription }: ModelOrder,
  { before, isPaidFor }: { before: number | null; isPaidFor: boolean },
): number | null {
  if (when === 'payer') return null
  const moments = {
    creation: createdAt + (isPaidFor ? lateMs + trialMs : 0),
    'step before': before,
    expiry: expiresAt,
    'second charge': subscription?.second ?? null,
  }
  const moment = moments[when.since]
  return moment === null ? null : moment + when.ms
}

interface NextThing {
  readonly dueAt: number
  readonly what: ModelStep | 'charge' | 'expiry'
}

/** The next automatic event of an order: a step, a charge, or its expiry. */
export function nextThing(order: ModelOrder): NextThing | null {
  const step = order.steps.find(({ doneAt }) => doneAt === null)
  const waits = step?.does.do === 'pay' && order.waitsForPayer
  const chargeAt = order.subscription?.nextAt ?? null
  const things: NextThing[] = []
  if (step !== undefined && step.dueAt !== null && !waits) things.push({ dueAt: step.dueAt, what: step })
  if (chargeAt !== null) things.push({ dueAt: chargeAt, what: 'charge' })
  if (order.onExpiry !== 'keep' && !order.paid && isOpen(order))
    things.push({ dueAt: order.expiresAt, what: 'expiry' })
  return things.sort((a, b) => a.dueAt - b.dueAt)[0] ?? null
}

/** Whether only the payer's choice is missing. */
export function waitsForPayer(order: ModelOrder): boolean {
  const step = order.steps.find(({ doneAt }) => doneAt === null)
  return isOpen(order) && !order.paid && (order.waitsForPayer || step?.when === 'payer')
}

const isOpen = ({ orderStatus }: ModelOrder) => !['COMPLETED', 'FAILED', 'ABANDONED'].includes(orderStatus)

/** Drops what the order's scenario had still to do. */
export function dropRest(order: ModelOrder): void {
  order.steps = order.steps.filter(({ doneAt }) => doneAt !== null)
  order.waitsForPayer = false
}

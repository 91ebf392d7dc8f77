import type { ExtraWebhook } from '../scenario/scenario.ts'
import { picked } from '../text/objects.ts'
import type { EpochMs } from '../text/time.ts'
import { extraWebhooksOf, webhooksOf } from '../webhook/events.ts'
import type { ClientChange, Decision, DecisionContext } from './decision.ts'
import { nextThing } from './next-steps.ts'
import { type HistoryEntry, type Order, type Replaced, recordNames } from './order.ts'

/** The fields of an order that a verb may change. */
export type OrderPatch = Partial<
  Pick<
    Order,
    | 'orderStatus'
    | 'paymentStatus'
    | 'settlementStatus'
    | 'errorReason'
    | 'receivedAmount'
    | 'txnHash'
    | 'refunds'
    | 'refundError'
    | 'crypto'
    | 'metadata'
    | 'paidAt'
    | 'nextStep'
    | 'stepAt'
    | 'shiftMs'
    | 'waitsForPayer'
    | 'lookups'
    | 'subscription'
  >
>

/** The parts of a change of an order besides the new field values. */
export interface Cause {
  /** Notes for the history about events without a status of their own: `paid`, `cancelled`. */
  readonly notes?: readonly string[] | undefined
  /** The index of the scenario step that caused the change. */
  readonly step?: number | undefined
  readonly webhooks?: readonly ExtraWebhook[] | undefined
  readonly client?: ClientChange | undefined
  readonly opens?: Decision | undefined
}

/** Changes an order, computes its next due time, and creates its webhooks (N40, N43). Every verb ends here. A change
 *  that the API shows moves `updatedAt`, never back (N64e); a changed status enters the history. */
export function change(
  order: Order,
  patch: OrderPatch,
  context: DecisionContext,
  cause: Cause = {},
): Decision {
  const updatedAt = isShown(patch) ? Math.max(context.nowMs, order.updatedAt + 1) : order.updatedAt
  const patched: Order = { ...order, ...patch, updatedAt, version: order.version + 1 }
  const changed = { ...patched, replaced: replacedBy(order, patched) }
  const { events, terms } = webhooksOf(order, changed, context)
  const lastSequence = () => Math.max(changed.events, ...events.map(({ sequence }) => sequence))
  for (const webhook of cause.webhooks ?? []) {
    events.push(...extraWebhooksOf({ ...changed, events: lastSequence() }, webhook, context))
  }
  return {
    order: {
      ...changed,
      terms,
      nextDueAt: nextThing(changed, context.scenario)?.dueAt ?? null,
      events: lastSequence(),
    },
    history: historyOf(order, changed, context.nowMs, cause),
    events,
    client: cause.client,
    opens: cause.opens,
  }
}

/** The order as it was before its last change of a status or refund, and before the changes since. Without such a
 *  change, the order as it was created. */
export const beforeLastChange = (order: Order): Order => Object.assign({}, order, order.replaced)

/** Adds the values that a change replaces to those of the changes before it. A changed status or refund begins anew. */
function replacedBy(before: Order, after: Order): Replaced | null {
  const values = picked(
    before,
    recordNames.filter((name) => before[name] !== after[name]),
  )
  if (statusChanges(before, after, after.updatedAt).length > 0) return values
  return Object.keys(values).length === 0 ? before.replaced : { ...values, ...before.replaced }
}

/** Whether the API shows a change. Hidden are the position in the scenario and the authorisation of a subscription. */
const isShown = (patch: OrderPatch): boolean => Object.keys(patch).some((member) => !unseen.has(member))

const unseen: ReadonlySet<string> = new Set<keyof OrderPatch>([
  ...(['nextStep', 'stepAt', 'shiftMs', 'waitsForPayer', 'paidAt', 'lookups', 'subscription'] as const),
])

function historyOf(before: Order, after: Order, at: EpochMs, { notes = [], step }: Cause): HistoryEntry[] {
  const entries: HistoryEntry[] = [
    ...notes.map((what) => ({ at, what })),
    ...statusChanges(before, after, at),
  ]
  if (entries.length === 0) entries.push({ at, what: 'step' })
  return step === undefined ? entries : entries.map((entry) => ({ ...entry, step }))
}

function statusChanges(before: Order, after: Order, at: EpochMs): HistoryEntry[] {
  const kinds = [
    ['payment', before.paymentStatus, after.paymentStatus],
    ['settlement', before.settlementStatus, after.settlementStatus],
    ['order', before.orderStatus, after.orderStatus],
    ['crypto', before.crypto?.status ?? none, after.crypto?.status ?? none],
    ...(after.refunds ?? []).map(
      ({ status }, index) =>
        [`refund ${index + 1}`, before.refunds?.[index]?.status ?? none, status] as const,
    ),
    ['refund error', before.refundError?.errorCode ?? none, after.refundError?.errorCode ?? none],
  ] as const
  return kinds.filter(([, from, to]) => from !== to).map(([what, from, to]) => ({ at, what, from, to }))
}

/** The former status in the history of an order that had none before. */
const none = 'none'

import { nearest, ticked } from '../text/issue-words.ts'

/** The error codes of the API specification with their texts; 9005 has no text (N35). */
const documented = new Map([
  ['7001', 'Order already exists for given requestId'],
  ['9004', 'Error occurred while the payment was processed by the payment partner'],
  ['9005', 'Description not shown in the interface document'],
  ['9006.1', 'There was an issue with Refund transaction.'],
])

/** The error codes that the API specification documents. */
export const documentedErrorCodes: readonly string[] = [...documented.keys()]

/** The error code of a failure for which a scenario names none (N67). */
export const defaultErrorCode = '9004'

/** The setting with further error codes. */
interface ErrorCatalog {
  readonly 'errors.catalog': Readonly<Record<string, string>>
}

/** The `errorReason` of an error code; an unknown code has no description. */
export function errorReason(
  errorCode: string,
  settings: ErrorCatalog,
): { readonly errorCode: string; readonly errorDesc: string } {
  const own = settings['errors.catalog']
  const errorDesc = Object.hasOwn(own, errorCode) ? own[errorCode] : documented.get(errorCode)
  return { errorCode, errorDesc: errorDesc ?? 'Description not shown in the interface document' }
}

/** Lists all error codes that have a description. */
export function knownErrorCodes(settings: ErrorCatalog): string[] {
  return [...new Set([...documented.keys(), ...Object.keys(settings['errors.catalog'])])]
}

/** A known status of an order, its payment, its settlement or a refund, with its properties. */
interface StatusRow {
  readonly of: 'order' | 'payment' | 'settlement' | 'refund'
  readonly name: string
  /** Where the status comes from: the documented service, a setting, or a scenario that writes it. */
  readonly from: 'service' | 'setting' | 'scenario'
  /** Whether no other status follows (N60). */
  readonly final: boolean
  /** The colour of the status in the dashboard. */
  readonly tone: 'good' | 'bad' | 'waiting' | 'other'
  readonly meaning: string
}

/** The table of known statuses. All lists, suggestions, checks and descriptions of statuses are derived from it. A
 *  scenario may also write any other word. */
export const statuses = [
  {
    of: 'order',
    name: 'CREATED',
    from: 'service',
    final: false,
    tone: 'waiting',
    meaning: 'The order exists; this status does not say whether it is paid.',
  },
  {
    of: 'order',
    name: 'COMPLETED',
    from: 'service',
    final: true,
    tone: 'good',
    meaning: 'The order is paid and done.',
  },
  {
    of: 'order',
    name: 'FAILED',
    from: 'service',
    final: true,
    tone: 'bad',
    meaning: 'The order has failed; `errorReason` says why.',
  },
  {
    of: 'order',
    name: 'ABANDONED',
    from: 'setting',
    final: false,
    tone: 'other',
    meaning: 'The payer did not pay before the order expired (setting `orders.onExpiry`).',
  },
  {
    of: 'order',
    name: 'ON_REVIEW',
    from: 'scenario',
    final: false,
    tone: 'other',
    meaning: 'The API specification does not document this status; the scenario `unknown-status` uses it.',
  },
  {
    of: 'payment',
    name: 'CREATED',
    from: 'service',
    final: false,
    tone: 'waiting',
    meaning: 'The payment has not arrived.',
  },
  {
    of: 'payment',
    name: 'COMPLETED',
    from: 'service',
    final: true,
    tone: 'good',
    meaning: 'The payment has arrived.',
  },
  {
    of: 'payment',
    name: 'FAILED',
    from: 'service',
    final: true,
    tone: 'bad',
    meaning: 'The order failed before the payment arrived.',
  },
  {
    of: 'settlement',
    name: 'NOT_REQUIRED',
    from: 'service',
    final: true,
    tone: 'other',
    meaning: 'Nothing to settle on the crypto side.',
  },
  {
    of: 'refund',
    name: 'REFUND_INITIATED',
    from: 'service',
    final: false,
    tone: 'good',
    meaning: 'The refund has started.',
  },
  {
    of: 'refund',
    name: 'REFUNDED',
    from: 'scenario',
    final: true,
    tone: 'good',
    meaning: 'The payer has the money back.',
  },
] as const satisfies readonly StatusRow[]

type Row = (typeof statuses)[number]
type Printed = Extract<Row, { of: 'order'; from: 'service' }>

/** A documented order status. */
export type PrintedOrderStatus = Printed['name']

/** An order status after which nothing follows. */
export type FinalOrderStatus = Extract<Printed, { final: true }>['name']

export const orderStatuses = names(statuses.filter((row) => row.of === 'order'))

/** The documented order statuses. */
export const printedOrderStatuses = names(
  statuses.filter((row) => row.of === 'order' && row.from === 'service'),
)

export const finalOrderStatuses = names(statuses.filter((row) => row.of === 'order' && row.final))

/** The order statuses that steps of scenarios usually set: final ones, and those that only scenarios write. */
export const statusesOfSteps = names(
  statuses.filter((row) => row.of === 'order' && (row.final || row.from === 'scenario')),
)

export const refundStatuses = names(statuses.filter((row) => row.of === 'refund'))

/** The documented statuses of refunds. */
export const printedRefundStatuses = names(
  statuses.filter((row) => row.of === 'refund' && row.from === 'service'),
)

export const paymentStatuses = names(statuses.filter((row) => row.of === 'payment'))

/** The statuses that webhooks may carry although no scenario writes them. */
export const unwrittenStatuses = names(
  statuses.filter((row) => (row.of === 'order' || row.of === 'refund') && row.from !== 'scenario'),
)

/** Detects a typo in an orderStatus, which would pass for an unknown status.
 *  @returns undefined for a documented status, and for a word that resembles none */
export function likelyTypo(word: string): string | undefined {
  const printed: readonly string[] = printedOrderStatuses
  const near = printed.includes(word) ? undefined : nearest(word, printed)
  return near && `${ticked(word)} looks like a documented status; did you mean \`${near}\`?`
}

/** Whether an order is over: no other status follows (N60). */
export const isTerminal = (status: string): boolean => finalOrderStatuses.some((name) => name === status)

function names<Name extends string>(rows: readonly { readonly name: Name }[]): Name[] {
  return rows.map(({ name }) => name)
}
/** The `eventType` of every order event (N39). */
export const orderEventType = 'service-sdk-transaction-status'

/** A scenario of a case, in the form of `PUT /_emulator/scenarios`, without `id` and `description`. */
export interface Script {
  readonly for?: 'checkout' | 'subscription'
  readonly settings?: Readonly<Record<string, unknown>>
  readonly timeline: readonly Readonly<Record<string, unknown>>[]
  readonly webhooks?: Readonly<Record<string, unknown>> | readonly Readonly<Record<string, unknown>>[]
  readonly answers?: readonly Readonly<Record<string, unknown>>[]
  readonly trial?: string
}

/** A scenario in which the order is paid after 2 seconds and COMPLETED after 5. */
export const happy: Script = {
  timeline: [
    { at: '2s', pay: 'completed' },
    { at: '5s', order: 'COMPLETED' },
  ],
}

/** Stays CREATED until a case pays it; COMPLETED 3 seconds later. */
export const payLater: Script = {
  settings: { 'orders.expiry': '30d' },
  timeline: [
    { at: 'payer', pay: 'completed' },
    { after: '3s', order: 'COMPLETED' },
  ],
}

/** A scenario in which the order is FAILED after 4 seconds, with this error code. */
export const failing = (error: string): Script => ({ timeline: [{ at: '4s', order: 'FAILED', error }] })

/** Paid, and refunded in full after a minute. */
export const refunded: Script = {
  timeline: [...happy.timeline, { at: '60s', refund: 'all' }],
}

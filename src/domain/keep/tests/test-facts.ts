import type { Order } from '../../order/order.ts'

/** What a test says about the order. */
export interface TestFacts {
  /** The id of the scenario. */
  readonly id: string
  readonly orderId: string
  readonly kind: Order['kind']
  /** The fields of the create call, without the requestId. */
  readonly fields: Readonly<Record<string, string>>
  /** When the clock starts, as ISO time; null for any time. */
  readonly start: string | null
  /** How far the clock is advanced. */
  readonly advance: string
  /** Every POST of a webhook, with the seconds since the order's creation. */
  readonly webhooks: readonly { readonly after: number; readonly orderStatus: string }[]
}

/** Whether the application creates such orders; others come from the control API alone. */
export const isCreatedByCall = ({ kind }: TestFacts): boolean =>
  kind === 'checkout' || kind === 'subscription'

/** The lines in which a person adds the assertions about the application, the same in every language. */
export const ownPlace = [
  '---- Your application ----------------------------------------------------------------',
  'Assert here what your application did: that it fulfilled the order once, or not at all.',
  '--------------------------------------------------------------------------------------',
]

/** The operations that name an order, as the journal calls them; `create-order` stands for both creates. */
export const orderOperations = [
  'create-checkout-order',
  'create-subscription-order',
  'create-order',
  'crypto-orders',
  'orders',
  'fiat-refunds',
  'simulate-webhook',
] as const

/** Those that name none. */
export const orderlessOperations = ['webhook-url', 'access-token'] as const

/** A word for calls. */
export type CallWord = (typeof orderOperations)[number] | (typeof orderlessOperations)[number]

/** Before all checks, after N18's checks with nothing stored, or when all is stored. */
export const faultStages = ['unchecked', 'before', 'stored'] as const
export type FaultStage = (typeof faultStages)[number]

/** Statuses whose answers have no body. */
export const bodiless: readonly number[] = [204, 205, 304]

/** What is done to a call instead of answering it well. */
export interface AnswerEffect {
  /** null for the status that the answer has anyway. */
  readonly status: number | null
  /** As it is sent; null for the usual one. */
  readonly body: string | null
  /** Added to those of the answer; names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  /** How long it is waited, on the client's clock, before anything is done or answered. */
  readonly delayMs: number
  /** How the answer leaves: as usual, broken off after half its body, as a TCP reset, or not at all. */
  readonly leaves: 'whole' | 'cut' | 'reset' | 'never'
  /** With `never`: after how long the connection is closed; null for not at all. */
  readonly closedAfterMs: number | null
  /** How long it is waited on the wall clock, whatever the client's clock does; `drawn`: 50 to 400 ms, by the seed. */
  readonly wallMs?: number | 'drawn' | undefined
  /** The answer waits until the first webhook of the order has been answered. */
  readonly afterWebhook?: true | undefined
  /** What the answer shows instead of the truth, or beside it. */
  readonly shows?: Shown | undefined
}

/** `new-fields`: fields that nobody knows. `behind`: CREATED, though the order is final. `unknown-status`: a status that
 *  nobody documents, though the order is CREATED. */
export type Shown = 'new-fields' | 'behind' | 'unknown-status'

/** How the service answers some calls about an order. */
export interface AnswerRule {
  readonly on: readonly CallWord[]
  readonly when: FaultStage
  readonly effect: AnswerEffect
  /** So many calls that it fits are let pass first. */
  readonly skip: number
  /** How many calls it answers; null for all. */
  readonly times: number | null
  /** How long it holds, from the first call that it fits; null for ever. */
  readonly forMs: number | null
  /** Only for calls about orders that are CREATED (`open`), or only about those that nothing follows (`final`). */
  readonly orders?: 'open' | 'final' | undefined
  /** The behaviour of a sweep that the rule is part of. */
  readonly by?: string | undefined
}

import type { Operation } from '../../domain/journal/entry.ts'
import type { EpochMs } from '../../domain/text/time.ts'
import type { Exchange, Source } from '../traffic/exchange.ts'

/** A call of the service under `/v1`, read as JSON. */
export interface Call extends Exchange {
  readonly operation: Operation
  /** The account: the `clientId` of the body or the query, or the header `client-id`; null if it says none. */
  readonly clientId: string | null
  readonly requestId: string | null
  /** The body of the request as JSON; undefined if it is none. */
  readonly input: unknown
  /** The body of the answer as JSON; undefined if it is none. */
  readonly output: unknown
}

/** A POST to the route of access tokens: its answer has a token that later calls carry. */
export interface TokenCall extends Exchange {
  readonly input: unknown
  readonly output: unknown
  /** The access token in the answer; null for a refused request. */
  readonly token: string | null
}

/** An order, or all charges of a subscription: everything under one requestId of an account. */
export interface SeenOrder {
  readonly clientId: string | null
  readonly requestId: string
  readonly isSubscription: boolean
  /** The create calls with this requestId, oldest first. */
  readonly creates: readonly Call[]
  /** The create call that was accepted, the first of several; null if the capture has none. */
  readonly created: Call | null
  /** Fields of the accepted create request; empty without one. */
  readonly request: Readonly<Record<string, unknown>>
  /** Fields of the accepted create answer; empty without one. */
  readonly answer: Readonly<Record<string, unknown>>
  /** The orderIds of its records: one for each charge. */
  readonly orderIds: ReadonlySet<string>
  /** The lookups of each kind, oldest first, with the records of this requestId in the answer. Only answers 200. */
  readonly lookups: readonly Lookup[]
  /** Its webhooks, by the time of the first attempt. */
  readonly webhooks: readonly SeenWebhook[]
}

/** A lookup that was answered with records. */
export interface Lookup {
  readonly call: Call
  readonly operation: 'orders' | 'crypto-orders' | 'fiat-refunds'
  readonly records: readonly Readonly<Record<string, unknown>>[]
}

/** One webhook with all its attempts. */
export interface SeenWebhook {
  /** The order that it names; null for an unknown one. A webhook of several events is listed with each order. */
  readonly order: SeenOrder | null
  /** All attempts, oldest first; never empty. */
  readonly attempts: readonly [Exchange, ...Exchange[]]
  /** The body of the first attempt as JSON; undefined if it is none. */
  readonly json: unknown
  /** The token in it, decoded but not verified; null for a body without a JWT. */
  readonly jwt: SeenJwt | null
}

/** A JWT in a webhook: in a field of the body (dotted) or in a header. */
export interface SeenJwt {
  readonly place: { readonly field: string } | { readonly header: string }
  readonly header: Readonly<Record<string, unknown>>
  readonly claims: Readonly<Record<string, unknown>>
  readonly text: string
}

/** Credentials that the user handed in, and nothing else: those in the traffic are never used. */
export interface Secrets {
  readonly apiSecret: string | null
  readonly webhookSecret: string | null
}

/** Everything that a capture shows, put together for the rules. */
export interface Evidence {
  /** Calls under `/v1`, by time. */
  readonly calls: readonly Call[]
  /** Calls to paths under `/v1/client` or with methods that the service does not serve, answered 404 or 405. */
  readonly strays: readonly Exchange[]
  readonly tokenCalls: readonly TokenCall[]
  /** By the time of their first call or webhook. */
  readonly orders: readonly SeenOrder[]
  /** All webhooks, by the time of their first attempt. */
  readonly webhooks: readonly SeenWebhook[]
  /** The accounts, by name. */
  readonly clientIds: readonly string[]
  readonly secrets: Secrets
  /** The time of the last exchange: what had not happened by then may still have happened. */
  readonly until: EpochMs
  /** How far webhooks and calls can be compared in time; false if their files have clocks that disagree. */
  readonly isOneClock: boolean
  /** Milliseconds to add to a time of the capture to have the service's, from `Date` headers; 0 if they agree or have
   *  none. */
  readonly serviceAhead: (source: Source) => number
}

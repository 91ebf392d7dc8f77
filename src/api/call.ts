import type { Settings } from '../domain/choices/settings.ts'
import type { Client } from '../domain/client/client.ts'
import type { Operation } from '../domain/journal/entry.ts'
import type { Order } from '../domain/order/order.ts'
import type { Body } from '../http/body.ts'
import type { Feed } from '../journal/feed.ts'
import type { Journal } from '../journal/journal.ts'
import type { Clients } from '../lifecycle/clients.ts'
import type { Lifecycle } from '../lifecycle/lifecycle.ts'
import type { RateLimits } from '../lifecycle/rate-limits.ts'
import type { Store } from '../store/store.ts'
import type { Scheduler } from '../time/scheduler.ts'
import type { CallFaults } from './faults/call-faults.ts'
import type { HeldAnswers } from './faults/held-answers.ts'
import type { RequestInfo } from './response.ts'

/** The parts of the emulator that the API module uses. */
export interface ServiceParts {
  readonly store: Store
  readonly clients: Clients
  readonly lifecycle: Lifecycle
  readonly scheduler: Scheduler
  readonly journal: Journal
  readonly feed: Feed
  readonly held: HeldAnswers
  readonly rateLimits: RateLimits
  readonly seed: string
  /** Logs a bug; `id` names the entry of the request log. */
  readonly onError: (error: unknown, id?: string) => void
}

/** A request to the service, with everything that operations need. */
export interface Call {
  readonly operation: Operation
  /** The origin that the caller used, e.g. `http://127.0.0.1:4600`. */
  readonly origin: string
  /** The query string of the called URL, without `?`. */
  readonly queryText: string
  query(): URLSearchParams
  /** The body of the call; empty for GET. */
  readonly body: Body
  header(name: string): string | undefined
  readonly client: Client
  readonly settings: Settings
  /** The planned faults and scenario rules for this call. */
  readonly faults: CallFaults
  /** Notes for the request log; operations add to them. */
  readonly notes: string[]
  /** The requestId of the call for the request log, as soon as it is known. */
  readonly info: Pick<RequestInfo, 'requestId'>
}

export interface Reply {
  /** The body of the answer, as JSON text. */
  readonly body: string
  /** The body with each record as it was before its last change; only lookups have one. */
  readonly staleBody?: () => string
  /** The orders of the call, all of one requestId; none if left out. */
  readonly about?: readonly Order[]
  /** Called once the answer has left, or its connection broke. */
  readonly answered?: (() => Promise<void>) | null
}

/** The names of the operations, as in `operationId` of the OpenAPI document. */
export type OperationName =
  | 'createCheckoutOrder'
  | 'createSubscriptionOrder'
  | 'lookUpCryptoOrders'
  | 'lookUpOrders'
  | 'lookUpRefunds'
  | 'simulateWebhook'
  | 'updateWebhookUrl'
  | 'updateFiatWebhookUrl'

export interface OperationSpec {
  readonly operation: Operation
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly name: OperationName
}

/** Handles calls of an operation.
 *  @throws Refusal, FaultyAnswer, EmulatorError */
export type Handler = (call: Call, parts: ServiceParts) => Promise<Reply>

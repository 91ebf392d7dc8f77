import type { Settings } from '../domain/choices/settings.ts'
import type { Client } from '../domain/client/client.ts'
import type { Operation } from '../domain/journal/entry.ts'
import type { Order } from '../domain/order/order.ts'
import type { Body } from '../http/body.ts'
import type { Feed } from '../journal/feed.ts'
import type { Journal } from '../journal/journal.ts'
import type { Clients } from '../lifecycle/clients.ts'
import type { Lifecycle } from '../lifecycle/lifecycle.ts'
import type { Store } from '../store/store.ts'
import type { Scheduler } from '../time/scheduler.ts'
import type { Findings } from './answered.ts'
import type { CallFaults } from './faults/call-faults.ts'
import type { HeldAnswers } from './faults/held-answers.ts'

/** What the service works with. */
export interface ServiceParts {
  readonly store: Store
  readonly clients: Clients
  readonly lifecycle: Lifecycle
  readonly scheduler: Scheduler
  readonly journal: Journal
  readonly feed: Feed
  readonly held: HeldAnswers
  readonly seed: string
  /** Logs a bug; `id` names the journal entry it happened in. */
  readonly onError: (error: unknown, id?: string) => void
}

/** A request to the service, as far as every operation needs it. */
export interface Call {
  readonly operation: Operation
  /** The origin under which the caller reached the emulator, e.g. `http://127.0.0.1:4600`. */
  readonly origin: string
  /** The query as it stands in the URL, without its mark. */
  readonly queryText: string
  query(): URLSearchParams
  /** Empty for GET. */
  readonly body: Body
  header(name: string): string | undefined
  /** Whom the access token belongs to. */
  readonly client: Client
  /** The client's settings. */
  readonly settings: Settings
  /** What is done to it instead of answering it well. */
  readonly faults: CallFaults
  /** Remarks for the journal; operations add to them. */
  readonly notes: string[]
  /** For the journal: the requestId the call is about, as soon as it is known. */
  readonly findings: Pick<Findings, 'requestId'>
}

/** What an operation answers. */
export interface Reply {
  /** JSON text. */
  readonly body: string
  /** The orders that the call was about, all of one requestId; none if left out. */
  readonly about?: readonly Order[]
  /** Called once the answer has left, or its connection has died. */
  readonly answered?: (() => Promise<void>) | null
}

/** The operations by name. In the OpenAPI document it is the `operationId`. */
export type OperationName =
  | 'createCheckoutOrder'
  | 'createSubscriptionOrder'
  | 'lookUpCryptoOrders'
  | 'lookUpOrders'
  | 'lookUpRefunds'
  | 'simulateWebhook'
  | 'updateWebhookUrl'
  | 'updateFiatWebhookUrl'

/** One operation of the service. */
export interface OperationSpec {
  readonly operation: Operation
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly name: OperationName
}

/** Answers calls of an operation. @throws Refusal, FaultyAnswer, EmulatorError */
export type Handler = (call: Call, parts: ServiceParts) => Promise<Reply>

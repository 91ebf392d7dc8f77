// The inputs and answers of both APIs, by their schemas. The package has the same types written out, with the schemas'
// descriptions (`tools/build/library-types.ts`), so that users need no zod.

import type { z } from 'zod'
import type {
  createdOrder,
  cryptoOrders,
  fiatOrders,
  refunds,
  webhookEvent,
} from '../api/contract/answers.ts'
import type { checkoutRequest, simulateRequest, subscriptionRequest } from '../api/contract/requests.ts'
import type { ownTokenCall } from '../api/token-call.ts'
import type { clientPatch, newClient, rotation, tokenExpiry } from '../control/calls/clients.ts'
import type { holdRequest } from '../control/calls/deliveries.ts'
import type { makeOrderRequest, payRequest, refundRequest } from '../control/calls/orders.ts'
import type { nextRequest } from '../control/calls/scenarios.ts'
import type { clientStatus, status } from '../control/calls/status.ts'
import type { verifyRequest } from '../control/calls/verify.ts'
import type { sendRequest } from '../control/send-delivery.ts'
import type { about } from '../control/shapes/about.ts'
import type { client, clockReading } from '../control/shapes/client.ts'
import type { allClocks, dueClock } from '../control/shapes/clocks.ts'
import type { nearMiss } from '../control/shapes/common.ts'
import type { coverage } from '../control/shapes/coverage.ts'
import type { delivery } from '../control/shapes/delivery.ts'
import type { fault } from '../control/shapes/fault.ts'
import type { loadedFixture, shippedFixture } from '../control/shapes/fixture.ts'
import type { ledger } from '../control/shapes/ledger.ts'
import type { order, user } from '../control/shapes/order.ts'
import type { diagnosis, journalEntry } from '../control/shapes/request.ts'
import type {
  binding,
  brokenFile,
  explanation,
  scenarioSummary,
  wholeScenario,
} from '../control/shapes/scenario.ts'
import type { settingsAnswer } from '../control/shapes/settings.ts'
import type { clockPace } from '../domain/client/client.ts'
import type { faultRequest } from '../domain/faults/planned-fault-text.ts'
import type { snapshotDocument } from '../domain/fixture/world-document.ts'

export type { SettingName } from '../domain/choices/settings.ts'
export type { OrderKind } from '../domain/order/order.ts'

/** The id of a scenario: a built-in one, or one of your own. */
export type ScenarioId = string

// Types of the inputs of both APIs.

export type CheckoutRequest = z.input<typeof checkoutRequest>
export type SubscriptionRequest = z.input<typeof subscriptionRequest>
export type SimulatedWebhook = z.input<typeof simulateRequest>
export type NewClient = z.input<typeof newClient>
export type ClientPatch = z.input<typeof clientPatch>
export type SecretRotation = z.input<typeof rotation>
export type TokenExpiry = z.input<typeof tokenExpiry>
export type ClockPace = z.input<typeof clockPace>
export type NewOrder = z.input<typeof makeOrderRequest>
export type Payment = z.input<typeof payRequest>
export type RefundRequest = z.input<typeof refundRequest>
export type HandMadeDelivery = z.input<typeof sendRequest>
export type HoldRequest = z.input<typeof holdRequest>
export type VerifyRequest = z.input<typeof verifyRequest>
export type FaultRequest = z.input<typeof faultRequest>
export type NextScenario = z.input<typeof nextRequest>

// Types of the service's answers and webhooks.

export type CreatedOrder = z.output<typeof createdOrder>
export type FiatOrder = z.output<typeof fiatOrders>['data'][number]
export type CryptoOrder = z.output<typeof cryptoOrders>['data'][number]
export type Refunds = z.output<typeof refunds>
export type WebhookEvent = z.output<typeof webhookEvent>
export type IssuedToken = z.output<(typeof ownTokenCall.answers)[200]>

// Types of the control API's answers.

export type About = z.output<typeof about>
export type Binding = z.output<typeof binding>
export type Client = z.output<typeof client>
export type ClientStatus = z.output<typeof clientStatus>
export type Clock = z.output<typeof clockReading>
export type Clocks = z.output<typeof allClocks>
export type Coverage = z.output<typeof coverage>
export type Delivery = z.output<typeof delivery>
export type Diagnosis = z.output<typeof diagnosis>
export type DueClock = z.output<typeof dueClock>
export type Explanation = z.output<typeof explanation>
export type Fault = z.output<typeof fault>
export type JournalEntry = z.output<typeof journalEntry>
export type Ledger = z.output<typeof ledger>
export type LoadedFixture = z.output<typeof loadedFixture>
export type NearMiss = z.output<typeof nearMiss>
export type Order = z.output<typeof order>
export type Scenario = z.output<typeof wholeScenario>
export type ScenarioProblem = z.output<typeof brokenFile>
export type ScenarioSummary = z.output<typeof scenarioSummary>
export type Settings = z.output<typeof settingsAnswer>
export type ShippedFixture = z.output<typeof shippedFixture>
export type Snapshot = z.output<typeof snapshotDocument>
export type Status = z.output<typeof status>
export type User = z.output<typeof user>

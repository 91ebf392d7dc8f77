// The library: an emulator in a test.

export type { ClientLedger, TestClock, WalkOptions } from './testing/clock.ts'
export { type ConnectOptions, connectEmulator } from './testing/connect-emulator.ts'
export type { ControlCallOptions, Query } from './testing/control-api.ts'
export type { Controls, SettingChanges } from './testing/controls.ts'
export type { Deliveries } from './testing/deliveries.ts'
export {
  ControlCallRefused,
  type ControlRefusal,
  EmulatorNotStarted,
  EmulatorUnreachable,
  FetchRefused,
  InboxNotOpened,
  NotAsExpected,
  ServiceCallRefused,
  type ServiceRefusal,
  UnexpectedWebhook,
  WebhookMissing,
} from './testing/errors.ts'
export type { EmulatorEvent, EventStream } from './testing/event-stream.ts'
export type { Faults } from './testing/faults.ts'
export type { Filter, Wanted, Watched, WhereOf } from './testing/filters.ts'
export type { Answering } from './testing/inbox/answers.ts'
export type { InboxAnswer } from './testing/inbox/inbox-answer.ts'
export type { InboxOptions } from './testing/inbox/inbox-options.ts'
export type { InboxWait } from './testing/inbox/inbox-wait.ts'
export type { ReceivedWebhook } from './testing/inbox/received-webhook.ts'
export type { InboxWhere, WantedSignature } from './testing/inbox/selection.ts'
export type { WebhookInbox } from './testing/inbox/webhook-inbox.ts'
export type { OrderName, RequestName } from './testing/order-name.ts'
export type { Orders } from './testing/orders.ts'
export type { Expected, Requests } from './testing/requests.ts'
export type { ExplainOptions, Scenarios } from './testing/scenarios.ts'
export type {
  CreateOptions,
  NewCheckout,
  NewSimulation,
  NewSubscription,
  ServiceRequest,
} from './testing/service-api.ts'
export type * from './testing/shapes.ts'
export { type StartOptions, startEmulator } from './testing/start-emulator.ts'
export type { TestClient } from './testing/test-client.ts'
export type { TestEmulator } from './testing/test-emulator.ts'
export type { Reply } from './testing/transport.ts'
export type { WebhookFetch } from './webhooks/receiving-function.ts'

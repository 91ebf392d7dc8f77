// The exports of the library: an emulator inside a test.

export type { CheckedSetting } from './learn/drift.ts'
export type { LearnedCaptures, LearnOptions } from './learn/learned-captures.ts'
export { drift, learn, learnStory } from './learn/learning.ts'
export type { DriftReport, LearnReport, ReportedRest, ReportedSetting } from './learn/report/report.ts'
export type { Story } from './learn/story/story.ts'
export type { ClientLedger, TestClock, WalkOptions } from './testing/clock.ts'
export { type ConnectOptions, connectEmulator } from './testing/connect-emulator.ts'
export type { ControlCallOptions, EmulatorEvent, EventStream, Query } from './testing/control-api.ts'
export type { Controls, Faults, SettingChanges } from './testing/controls.ts'
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
export type { Answering, InboxAnswer } from './testing/inbox/answers.ts'
export type { InboxOptions, InboxWait } from './testing/inbox/options.ts'
export type { ReceivedWebhook } from './testing/inbox/received-webhook.ts'
export type { InboxWhere, WantedSignature } from './testing/inbox/selection.ts'
export type { WebhookInbox } from './testing/inbox/webhook-inbox.ts'
export type { OrderName, Orders, RequestName } from './testing/orders.ts'
export type { Deliveries, Expected, Filter, Requests, Wanted, Watched, WhereOf } from './testing/records.ts'
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

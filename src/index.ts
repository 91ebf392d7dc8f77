// The library: an emulator in a test.

export type { TestClock, WalkOptions } from './testing/clock.ts'
export { type ConnectOptions, connectEmulator } from './testing/connect-emulator.ts'
export type { ControlCallOptions, Query } from './testing/control-api.ts'
export type { Controls } from './testing/controls.ts'
export type { Deliveries } from './testing/deliveries.ts'
export {
  ControlCallRefused,
  EmulatorUnreachable,
  FetchRefused,
  NotAsExpected,
  ServiceCallRefused,
} from './testing/errors.ts'
export type { Faults } from './testing/faults.ts'
export type { Filter, OrderName, Orders } from './testing/orders.ts'
export type { Expected, Requests } from './testing/requests.ts'
export type { Scenarios } from './testing/scenarios.ts'
export type { CreateOptions, NewCheckout, NewSubscription, ServiceRequest } from './testing/service-api.ts'
export type * from './testing/shapes.generated.ts'
export { type StartOptions, startEmulator } from './testing/start-emulator.ts'
export type { TestClient } from './testing/test-client.ts'
export type { TestEmulator } from './testing/test-emulator.ts'
export type { Reply } from './testing/transport.ts'

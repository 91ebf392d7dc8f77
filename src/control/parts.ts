import type { Feed } from '../journal/feed.ts'
import type { Journal } from '../journal/journal.ts'
import type { AddedScenarios } from '../lifecycle/added-scenarios.ts'
import type { Clients } from '../lifecycle/clients.ts'
import type { CommonSettings } from '../lifecycle/common-settings.ts'
import type { FaultPlans } from '../lifecycle/fault-plans.ts'
import type { Fixtures } from '../lifecycle/fixtures.ts'
import type { Lifecycle } from '../lifecycle/lifecycle.ts'
import type { PutScenarios } from '../lifecycle/put-scenarios.ts'
import type { ScenarioCatalog } from '../lifecycle/scenario-catalog.ts'
import type { Store } from '../store/store.ts'
import type { Scheduler } from '../time/scheduler.ts'
import type { Outbox } from '../webhooks/outbox.ts'
import type { GuardSettings } from './guards.ts'

/** What is told about both APIs, as text. */
export interface Reference {
  /** The OpenAPI document of the service. */
  readonly service: () => Promise<string>
  /** The OpenAPI document of the control API. */
  readonly control: () => Promise<string>
}

/** What the control API works with. */
export interface ControlParts {
  readonly store: Store
  readonly clients: Clients
  readonly faultPlans: FaultPlans
  readonly commonSettings: CommonSettings
  readonly fixtures: Fixtures
  readonly lifecycle: Lifecycle
  readonly scheduler: Scheduler
  readonly outbox: Outbox
  readonly seed: string
  readonly catalog: ScenarioCatalog
  readonly putScenarios: PutScenarios
  readonly addedScenarios: AddedScenarios
  readonly journal: Journal
  readonly feed: Feed
  readonly guard: GuardSettings
  readonly reference: Reference
  readonly version: string
  /** Wall milliseconds since the start. */
  readonly uptimeMs: () => number
  /** Puts the emulator back to its start. */
  readonly reset: (scope: {
    clientId?: string | undefined
    keepClients: boolean
    keepScenarios: boolean
  }) => Promise<void>
  /** Logs a bug under an id. */
  readonly onError: (error: unknown, id?: string) => void
}

import type { WorldPart } from '../domain/fixture/world.ts'
import type { GivenWorld } from '../domain/fixture/world-document.ts'
import type { Coverage } from '../journal/coverage.ts'
import type { Feed } from '../journal/feed.ts'
import type { Journal } from '../journal/journal.ts'
import type { SweepRecord } from '../journal/sweep-record.ts'
import type { Tallies } from '../journal/tallies.ts'
import type { Clients } from '../lifecycle/clients.ts'
import type { CommonSettings } from '../lifecycle/common-settings.ts'
import type { ShippedFixtures } from '../lifecycle/fixture-files.ts'
import type { Fixtures } from '../lifecycle/fixtures.ts'
import type { Lifecycle } from '../lifecycle/lifecycle.ts'
import type { PlannedFaults } from '../lifecycle/planned-faults.ts'
import type { AddedScenarios } from '../lifecycle/scenarios/added-files.ts'
import type { ScenarioCatalog } from '../lifecycle/scenarios/catalog.ts'
import type { UploadedScenarios } from '../lifecycle/scenarios/uploaded.ts'
import type { SweepBehaviours } from '../lifecycle/sweep-behaviours.ts'
import type { Store } from '../store/store.ts'
import type { Scheduler } from '../time/scheduler.ts'
import type { Outbox } from '../webhooks/outbox.ts'
import type { GuardSettings } from './guards.ts'
import type { EventStreams } from './watch/event-streams.ts'
import type { Waits } from './watch/waits.ts'

/** The documents of both APIs, as text. */
export interface Reference {
  /** The OpenAPI document of the service. */
  readonly service: () => Promise<string>
  /** The OpenAPI document of the control API. */
  readonly control: () => Promise<string>
  /** The reference page of both.
   *  @param origin of the emulator */
  readonly page: (origin: string) => Promise<string>
  /** The stylesheet of the reference page. */
  readonly style: () => Promise<string>
}

/** Everything that the control API uses. */
export interface ControlParts {
  readonly store: Store
  readonly clients: Clients
  readonly plannedFaults: PlannedFaults
  readonly commonSettings: CommonSettings
  readonly fixtures: Fixtures
  readonly shippedFixtures: ShippedFixtures
  readonly lifecycle: Lifecycle
  readonly scheduler: Scheduler
  readonly outbox: Outbox
  readonly seed: string
  readonly catalog: ScenarioCatalog
  readonly uploadedScenarios: UploadedScenarios
  readonly addedScenarios: AddedScenarios
  readonly journal: Journal
  readonly feed: Feed
  readonly tallies: Tallies
  readonly behaviours: SweepBehaviours
  readonly sweepRecord: SweepRecord
  readonly coverage: Coverage
  readonly waits: Waits
  readonly streams: EventStreams
  readonly guard: GuardSettings
  readonly reference: Reference
  readonly version: string
  /** The command that calls this program, for people to copy. */
  readonly programCall: string
  readonly runtime: string
  readonly database: string
  /** The process's memory. */
  readonly memoryBytes: () => number
  /** Wall-clock milliseconds since the start. */
  readonly uptimeMs: () => number
  /** Resets to the state of a start. */
  readonly reset: (scope: {
    clientId?: string | undefined
    keepClients: boolean
    keepScenarios: boolean
  }) => Promise<void>
  /** Takes a snapshot of all data, or of one client. A caller that does not read to the end calls `return`. */
  readonly snapshot: (clientId?: string) => Promise<AsyncIterableIterator<WorldPart, undefined>>
  /** Restores a snapshot in place of all data, or of the client of that name. Resolves with the restored clients. */
  readonly restore: (given: GivenWorld, clientId?: string) => Promise<readonly string[]>
  /** Logs a bug under an id. */
  readonly onError: (error: unknown, id?: string) => void
}

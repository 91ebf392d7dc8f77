import type { LearnedSettings } from '../domain/choices/learned.ts'
import type { WorldPart } from '../domain/fixture/world.ts'
import type { LoadableWorld } from '../domain/fixture/world-document.ts'
import type { Coverage } from '../journal/coverage.ts'
import type { Feed } from '../journal/feed.ts'
import type { Journal } from '../journal/journal.ts'
import type { RecentEvents } from '../journal/recent.ts'
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

/** OpenAPI documents of the service and of the control API, and the reference page built from both. */
export interface Reference {
  readonly service: () => Promise<string>
  readonly control: () => Promise<string>
  /** Renders the reference page.
   *  @param origin the base URL of the emulator
   *  @param wanted words that calls must have to be shown; all calls if left out */
  readonly page: (origin: string, wanted?: string) => Promise<string>
  readonly style: () => Promise<string>
}

/** Parts of the emulator that the control API uses. */
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
  /** The evidence of the settings file, if `learn` wrote it. */
  readonly learned: LearnedSettings | null
  readonly catalog: ScenarioCatalog
  readonly uploadedScenarios: UploadedScenarios
  readonly addedScenarios: AddedScenarios
  readonly journal: Journal
  readonly feed: Feed
  readonly tallies: Tallies
  readonly recent: RecentEvents
  readonly behaviours: SweepBehaviours
  readonly sweepRecord: SweepRecord
  readonly coverage: Coverage
  readonly waits: Waits
  readonly streams: EventStreams
  readonly guard: GuardSettings
  readonly reference: Reference
  readonly version: string
  /** Command that starts this program, shown to users for copying. */
  readonly programCall: string
  /** The version of Node. */
  readonly runtime: string
  /** The path of the database file, or `:memory:`. */
  readonly database: string
  /** Returns the resident memory of the process. */
  readonly memoryBytes: () => number
  /** Returns the wall-clock milliseconds since the start. */
  readonly uptimeMs: () => number
  readonly reset: (scope: {
    clientId?: string | undefined
    keepClients: boolean
    keepScenarios: boolean
  }) => Promise<void>
  /** Takes a snapshot of everything or of one client. A caller that stops reading early must call `return`. */
  readonly snapshot: (clientId?: string) => Promise<AsyncIterableIterator<WorldPart, undefined>>
  /** Restores a snapshot over everything or over one client.
   *  @returns ids of the restored clients */
  readonly restore: (given: LoadableWorld, clientId?: string) => Promise<readonly string[]>
  /** Logs an internal error; `id` names its entry in the request log. */
  readonly onError: (error: unknown, id?: string) => void
}

import { HeldAnswers } from '../api/faults/held-answers.ts'
import type { FixtureFile } from '../domain/fixture/fixture-file.ts'
import type { SweepOrder } from '../domain/sweep/behaviour.ts'
import { Coverage } from '../journal/coverage.ts'
import { Feed } from '../journal/feed.ts'
import { Journal } from '../journal/journal.ts'
import { RecentEvents } from '../journal/recent.ts'
import { SweepRecord } from '../journal/sweep-record.ts'
import { Tallies } from '../journal/tallies.ts'
import { Clients, NewClocks } from '../lifecycle/clients.ts'
import { CommonSettings } from '../lifecycle/common-settings.ts'
import { type FixtureReport, Fixtures } from '../lifecycle/fixtures.ts'
import { Lifecycle } from '../lifecycle/lifecycle.ts'
import { PlannedFaults } from '../lifecycle/planned-faults.ts'
import { RateLimits } from '../lifecycle/rate-limits.ts'
import { type AddedScenarios, ScenarioWatch } from '../lifecycle/scenarios/added-files.ts'
import { ScenarioCatalog } from '../lifecycle/scenarios/catalog.ts'
import { UploadedScenarios } from '../lifecycle/scenarios/uploaded.ts'
import { SettingLayers } from '../lifecycle/setting-layers.ts'
import { SweepBehaviours } from '../lifecycle/sweep-behaviours.ts'
import type { Load } from '../lifecycle/world-loader.ts'
import type { Store } from '../store/store.ts'
import { Scheduler } from '../time/scheduler.ts'
import { steadyWall, wallNow } from '../time/wall.ts'
import { Outbox } from '../webhooks/outbox.ts'
import type { WebhookFetchAt } from '../webhooks/receiving-function.ts'
import { Targets } from '../webhooks/targets.ts'
import type { Config } from './config.ts'
import { makeInitialClients } from './initial-clients.ts'

/** All parts of an emulator except HTTP: the base of both APIs and of the pages. */
export interface Engine extends Recorders, Sandboxes, OrderParts {
  readonly store: Store
  readonly fixtures: Fixtures
  readonly targets: Targets
  readonly outbox: Outbox
  readonly journal: Journal
  readonly catalog: ScenarioCatalog
  readonly uploadedScenarios: UploadedScenarios
  readonly addedScenarios: AddedScenarios
  /** Returns wall-clock time that never goes backwards. */
  readonly wall: () => number
  readonly onError: OnError
  /** Seed of ids and random choices; a restored snapshot brings its own seed. */
  readonly seed: string
  /** Results of the fixtures that the configuration names. */
  readonly reports: readonly FixtureReport[]
  makeInitialClients(): Promise<FixtureReport[]>
  /** Loaders for the caches outside of `Clients`.
   *  @param seed of a restored emulator; without a seed, only the planned faults are loaded */
  loaders(seed?: string): Load[]
  /** Starts the clocks and the watch on scenario files. */
  start(): void
  /** Stops new work and waits for the deliveries in flight. */
  drain(): Promise<void>
  /** Closes every part except the store; to be called after `drain`. */
  close(): Promise<void>
}

/** Reports an internal error, such as a bug or a full disk. */
export type OnError = (error: unknown, id?: string) => void

/** Inputs that are read before the engine starts, because reading can fail. */
export interface StartInputs {
  readonly store: Store
  readonly scenarioFiles: ScenarioCatalog
  readonly addedScenarios: AddedScenarios
  readonly fixtureFiles: readonly FixtureFile[]
}

export interface EngineOptions {
  /** Called after a change of the settings for all clients. */
  readonly onSettings: () => void
  /** Secrets that the request log masks. */
  readonly secrets: readonly string[]
  readonly onError: OnError
  /** Functions in this process that receive webhooks instead of the network. */
  readonly webhookFetchAt?: WebhookFetchAt | undefined
  readonly sweep?: SweepOrder | undefined
  readonly coverageFolder?: string | undefined
}

/** Creates all parts, loads the stored data, and creates the initial clients. */
export async function createEngine(
  config: Config,
  { store, scenarioFiles, addedScenarios, fixtureFiles }: StartInputs,
  options: EngineOptions,
): Promise<Engine> {
  const { onError } = options
  let seed = await store.begin(config.seed ?? randomSeed())
  const wall = steadyWall()
  const recorders = makeRecorders(options)
  const { feed, tallies, recent } = recorders
  const uploadedScenarios = new UploadedScenarios(store, onError)
  const catalog = new ScenarioCatalog(uploadedScenarios, scenarioFiles)
  const scenarioWatch = new ScenarioWatch(config.scenarios, addedScenarios, (news) =>
    feed.emit({ type: 'scenario', news }),
  )
  const sandboxes = makeSandboxes(
    config,
    { store, wall, recorders, options },
    {
      onEmptied: (clientId) => forget(clientId),
      withoutLog: (act) => journal.whileItWaits(act),
    },
  )
  const { clients, commonSettings, scheduler } = sandboxes
  const orders = makeOrderParts({ store, catalog, wall, recorders, sandboxes, onError, seed: () => seed })
  const { plannedFaults, lifecycle, held, rateLimits } = orders
  const targets = new Targets(config.webhookAllow)
  const outbox = makeOutbox({ store, targets, recorders, sandboxes, plannedFaults }, config, options)
  for (const queue of [lifecycle, outbox, held]) scheduler.addQueue(queue)
  const journal = new Journal({ store, feed, startedAt: wallNow(), secrets: clients.secrets, onError })
  const fixtures = new Fixtures({ clients, catalog, seed: () => seed, wall })
  const forget = (clientId?: string) => {
    for (const part of [outbox, held]) part.drop(clientId)
    for (const part of [journal, plannedFaults, rateLimits, tallies, recent]) part.forget(clientId)
    feed.emit({ type: 'emptied', clientId })
  }
  const loaders = loadersOf({ plannedFaults, uploadedScenarios, commonSettings }, (loaded) => {
    seed = loaded
  })
  for (const load of [...loaders(seed), clients.worlds.loadClients]) (await load())()
  const initialClients = () => makeInitialClients(fixtureFiles, config, { clients, fixtures })
  return {
    ...{ ...recorders, ...sandboxes, ...orders },
    ...{ store, fixtures, targets, outbox, journal },
    ...{ catalog, uploadedScenarios, addedScenarios, wall, onError },
    get seed() {
      return seed
    },
    reports: await initialClients(),
    makeInitialClients: initialClients,
    loaders,
    ...makeRun({ journal, scenarioWatch, outbox, recorders, sandboxes, orders }, config),
  }
}

/** Returns the loaders for the caches outside of `Clients`.
 *  @param setSeed called with the seed of a restored emulator */
function loadersOf(
  {
    plannedFaults,
    uploadedScenarios,
    commonSettings,
  }: {
    readonly plannedFaults: PlannedFaults
    readonly uploadedScenarios: UploadedScenarios
    readonly commonSettings: CommonSettings
  },
  setSeed: (seed: string) => void,
): Engine['loaders'] {
  return (seed) => {
    if (seed === undefined) return [plannedFaults.load]
    const loadSeed = async () => () => setSeed(seed)
    return [loadSeed, plannedFaults.load, uploadedScenarios.load, commonSettings.load]
  }
}

/** Returns the functions that start and end the engine. */
function makeRun(
  parts: {
    readonly journal: Journal
    readonly scenarioWatch: ScenarioWatch
    readonly outbox: Outbox
    readonly recorders: Recorders
    readonly sandboxes: Sandboxes
    readonly orders: OrderParts
  },
  { drainMs }: Config,
): Pick<Engine, 'start' | 'drain' | 'close'> {
  const { journal, scenarioWatch, outbox, recorders } = parts
  const { scheduler } = parts.sandboxes
  const { lifecycle, held } = parts.orders
  return {
    start: () => {
      scheduler.start()
      scenarioWatch.start()
    },
    drain: () =>
      inOrder(
        async () => {
          lifecycle.creation.stop()
          held.stop()
        },
        () => scheduler.stop(),
        () => outbox.stop(drainMs),
      ),
    close: () =>
      inOrder(
        () => journal.close(),
        async () => recorders.coverage.close(),
        async () => scenarioWatch.stop(),
      ),
  }
}

/** The parts that count events and report them. */
interface Recorders {
  readonly feed: Feed
  readonly tallies: Tallies
  readonly recent: RecentEvents
  readonly behaviours: SweepBehaviours
  readonly sweepRecord: SweepRecord
  readonly coverage: Coverage
}

function makeRecorders({ sweep, coverageFolder: folder, onError }: EngineOptions): Recorders {
  const sweepRecord = new SweepRecord(onError)
  const behaviours = new SweepBehaviours((strike) => sweepRecord.struck(strike))
  if (sweep !== undefined) {
    behaviours.play(sweep.behaviours, sweep.seed)
    sweepRecord.begin(sweep.behaviours, sweep.record)
  }
  const coverage = new Coverage(
    folder === undefined ? null : { folder, name: `emulator-${randomSeed()}` },
    onError,
  )
  const tallies = new Tallies()
  const recent = new RecentEvents(wallNow)
  const feed = new Feed(onError)
  for (const { listen } of [tallies, recent, sweepRecord, coverage]) feed.listen(listen)
  return { feed, tallies, recent, behaviours, sweepRecord, coverage }
}

interface Sandboxes {
  readonly scheduler: Scheduler
  readonly clients: Clients
  readonly commonSettings: CommonSettings
}

function makeSandboxes(
  config: Config,
  {
    store,
    wall,
    recorders: { feed, behaviours },
    options: { onError, onSettings, secrets },
  }: { store: Store; wall: () => number; recorders: Recorders; options: EngineOptions },
  hooks: Pick<ConstructorParameters<typeof Clients>[0], 'onEmptied' | 'withoutLog'>,
): Sandboxes {
  const scheduler = new Scheduler({
    wall,
    onError,
    keep: async (clocks) => {
      await store.saveClocks(clocks)
      feed.emit({ type: 'clocks', clocks })
    },
    onMoved: (moves) => feed.emit({ type: 'moved', moves }),
  })
  const layers = new SettingLayers(publicUrlIn(config))
  const newClocks = new NewClocks({ ...config.clock, startTime: config.startTime }, wall)
  const clients = new Clients({ store, scheduler, settings: layers, newClocks, behaviours, ...hooks })
  for (const secret of secrets) clients.secrets.add(secret, null)
  const commonSettings = new CommonSettings({ store, clients, layers, onChanged: onSettings })
  return { scheduler, clients, commonSettings }
}

/** Parts that decide what happens to orders and calls. */
interface OrderParts {
  readonly plannedFaults: PlannedFaults
  readonly lifecycle: Lifecycle
  /** Responses that a fault delays on the client's clock. */
  readonly held: HeldAnswers
  readonly rateLimits: RateLimits
}

function makeOrderParts(parts: {
  readonly store: Store
  readonly catalog: ScenarioCatalog
  readonly wall: () => number
  readonly recorders: Recorders
  readonly sandboxes: Sandboxes
  readonly onError: OnError
  readonly seed: () => string
}): OrderParts {
  const { store, catalog, wall, onError, seed } = parts
  const { feed, behaviours } = parts.recorders
  const { clients, scheduler } = parts.sandboxes
  const plannedFaults = new PlannedFaults({ store, clients, scheduler, seed, wall, onError })
  const lifecycle = new Lifecycle({
    ...{ store, clients, catalog, plans: plannedFaults, scheduler, seed, behaviours, onError },
    onCommitted: (decision) => {
      behaviours.committed(decision)
      feed.emit({ type: 'order', decision })
      for (const delivery of decision.events)
        if (delivery.status === 'skipped') feed.emit({ type: 'skipped', delivery })
    },
  })
  return { plannedFaults, lifecycle, held: new HeldAnswers(scheduler), rateLimits: new RateLimits() }
}

function makeOutbox(
  parts: {
    readonly store: Store
    readonly targets: Targets
    readonly recorders: Recorders
    readonly sandboxes: Sandboxes
    readonly plannedFaults: PlannedFaults
  },
  { place }: Config,
  { webhookFetchAt, onError }: EngineOptions,
): Outbox {
  const { store, targets, plannedFaults } = parts
  const { feed, behaviours } = parts.recorders
  const { clients, scheduler } = parts.sandboxes
  return new Outbox({
    ...{ store, targets, webhookFetchAt, place, onError },
    client: (clientId) => clients.find(clientId),
    settings: (clientId, over) => clients.settingsOf(clientId, over),
    now: (clientId) => scheduler.now(clientId),
    mask: (text, clientId) => clients.secrets.mask(text, clientId),
    wake: (clientId) => scheduler.wake(clientId),
    finishAttempt: (end, about) => clients.finishAttempt(end, about),
    pauseWebhooks: (clientId, url) => clients.pauseWebhooks(clientId, url),
    faults: (clientId) => plannedFaults.ofDeliveries(clientId),
    onFaultsMet: (met) => plannedFaults.met(met),
    emit: (event) => {
      if (event.type === 'attempt') behaviours.attempted(event.delivery.orderId)
      feed.emit(event)
    },
  })
}

/** Runs all actions in sequence, even if one fails. Then rejects with the first failure. */
export async function inOrder(...acts: readonly (() => Promise<void>)[]): Promise<void> {
  const failures: unknown[] = []
  for (const act of acts) await act().catch((error: unknown) => failures.push(error))
  if (failures.length > 0) throw failures[0]
}

/** Adds `--public-url` as the setting `publicBaseUrl`, unless the settings file sets `publicBaseUrl`. */
function publicUrlIn({ settings, publicUrl }: Config) {
  return publicUrl === undefined ? settings : { publicBaseUrl: publicUrl.replace(/\/$/, ''), ...settings }
}

let made = 0

/** A practically unique seed of 16 hexadecimal digits. The seed is no secret, and loading `node:crypto` takes longer
 *  than loading all of HTTP. */
export function randomSeed(): string {
  made += 1
  // A test may have replaced `Math.random` by a constant. CPU time distinguishes the emulators of one process; the
  // process id distinguishes processes.
  const { user, system } = process.cpuUsage()
  const half = (own: number) => ((Math.random() * 2 ** 32) ^ own) >>> 0
  return [half(process.pid), half(user + system + made)]
    .map((number) => number.toString(16).padStart(8, '0'))
    .join('')
}

import { randomBytes } from 'node:crypto'
import { type Context, Hono, type MiddlewareHandler } from 'hono'
import { servedOperations } from '../api/operations/operations.ts'
import { createService } from '../api/service.ts'
import type { GuardSettings } from '../control/guards.ts'
import { healthNow } from '../control/health-now.ts'
import type { ControlParts } from '../control/parts.ts'
import { EventStreams } from '../control/watch/event-streams.ts'
import { Waits } from '../control/watch/waits.ts'
import type { Client } from '../domain/client/client.ts'
import { journalHeaders } from '../domain/journal/entry.ts'
import type { SweepOrder } from '../domain/sweep/behaviour.ts'
import type { UnreadRequest } from '../http/front-door.ts'
import type { Feed } from '../journal/feed.ts'
import { readFixtures, ShippedFixtures } from '../lifecycle/fixture-files.ts'
import type { FixtureReport } from '../lifecycle/fixtures.ts'
import { AddedScenarios } from '../lifecycle/scenarios/added-files.ts'
import { BuiltInScenarios } from '../lifecycle/scenarios/built-in.ts'
import { ScenarioCatalog } from '../lifecycle/scenarios/catalog.ts'
import { openSqliteStore } from '../store/sqlite/open.ts'
import type { Store } from '../store/store.ts'
import { atMost, every } from '../time/timers.ts'
import { stopwatch, wallNow } from '../time/wall.ts'
import type { WebhookFetchAt } from '../webhooks/receiving-function.ts'
import { type Config, isLoopback } from './config.ts'
import { createEngine, type Engine, inOrder, type OnError, type StartInputs } from './engine.ts'
import { reference } from './openapi/reference.ts'
import { fixturesFolder, ownProgramCall, scenariosFolder, version } from './package.ts'
import { worldChanges } from './world-changes.ts'

/** A running emulator without a port: `answer` answers requests. */
export interface Emulator {
  /** Its routes. Ask for it each time: it is made anew when a setting changes which there are. */
  readonly app: Hono
  /** @param env the connection that the request came over, if it came over one */
  answer(request: Request, env?: object): Promise<Response>
  readonly feed: Feed
  readonly seed: string
  /** What the control API asks for; null if it is open. */
  readonly controlToken: string | null
  /** What the fixtures of the configuration have brought at this start. */
  readonly fixtures: readonly FixtureReport[]
  /** The demo client as it is now. */
  demoClient(): Client
  clientNow(clientId: string): number
  /** Says where its port is, so that no webhook is sent back to it. */
  listensAt(address: string, port: number): void
  /** Writes into the journal what was refused before `app` saw it.
   *  @returns the headers of the answer that name the entry */
  refused(request: UnreadRequest): Readonly<Record<string, string>>
  /** Starts nothing more and waits for the deliveries in flight, at most `drainMs`; what is left over is repeated
   *  at the next start. Requests are still answered. */
  drain(): Promise<void>
  /** Drains, if that has not been done, waits for requests that are being handled, and closes the store. */
  close(): Promise<void>
}

/** What only a program can hand in, and no command line. */
export interface EmulatorParts {
  /** Where everything is kept, instead of the database of the configuration; whoever hands it in closes it. */
  readonly store?: Store | undefined
  /** Who takes webhooks instead of the network. */
  readonly webhookFetchAt?: WebhookFetchAt | undefined
  /** The behaviours that a sweep has it play. */
  readonly sweep?: SweepOrder | undefined
  /** A folder to which it writes what the applications have met, into a file of its own. */
  readonly coverageFolder?: string | undefined
}

/** Builds an emulator: the one place where all modules meet.
 *  @throws DatabaseRefused, ScenarioFileError, FixtureRefused, FixtureUnreadable */
export async function createEmulator(
  config: Config,
  onError: OnError,
  given: EmulatorParts = {},
): Promise<Emulator> {
  const addedScenarios = new AddedScenarios(config.scenarios)
  const scenarioFiles = new ScenarioCatalog(addedScenarios, new BuiltInScenarios(scenariosFolder))
  const fixtureFiles = readFixtures(config.fixtures, fixturesFolder, {
    scenarios: scenarioFiles,
    common: config.settings,
  })
  const { store, closeStore } = await openStore(config, onError, given)
  try {
    const inputs = { store, scenarioFiles, addedScenarios, fixtureFiles }
    return await assemble(config, inputs, { ...given, onError, closeStore })
  } catch (error) {
    await closeStore()
    throw error
  }
}

/** How often the database looks whether it has time to tidy up. */
const tidyEveryMs = 1_000

async function openStore(
  { database, durable }: Config,
  onError: OnError,
  { store: given }: EmulatorParts,
): Promise<{ store: Store; closeStore: () => Promise<void> }> {
  if (given !== undefined) return { store: given, closeStore: async () => {} }
  const store = await openSqliteStore({ file: database, durable })
  const stopTidying = every(tidyEveryMs, () => store.tidy().catch(onError))
  const closeStore = () => {
    stopTidying()
    return store.close()
  }
  return { store, closeStore }
}

async function assemble(
  config: Config,
  inputs: StartInputs,
  { closeStore, ...given }: EmulatorParts & { onError: OnError; closeStore: () => Promise<void> },
): Promise<Emulator> {
  const access = accessOf(config)
  // Rebuilt when settings change which routes exist.
  let app: Hono | null = null
  const engine = await createEngine(config, inputs, {
    ...given,
    onSettings: () => {
      app = null
    },
    secrets: access.controlToken === null ? [] : [access.controlToken],
  })
  let drained: Promise<void> | undefined
  const parts = controlParts(config, engine, access, () => drained !== undefined)
  const routes = lateRoutes(parts)
  const served = () => {
    app ??= routesOf(engine, parts, routes)
    return app
  }
  engine.start()
  const inFlight = new InFlight()
  const drain = () => {
    parts.waits.stop()
    parts.streams.stop()
    drained ??= engine.drain()
    return drained
  }
  return {
    get app() {
      return served()
    },
    feed: engine.feed,
    get seed() {
      return engine.seed
    },
    controlToken: access.controlToken,
    fixtures: engine.reports,
    demoClient: () => engine.clients.get(config.clientId),
    clientNow: (clientId) => engine.scheduler.now(clientId),
    listensAt: (address, port) => engine.targets.setOwn(address, port),
    refused: (request) => recordUnread(request, engine),
    answer: (request, env) => {
      const app = served()
      return inFlight.until(Promise.resolve(app.fetch(request, env)))
    },
    drain,
    close: () =>
      inOrder(
        drain,
        // Includes requests whose callers are gone: the store must not close under them.
        () => atMost(config.drainMs, inFlight.none()),
        engine.close,
        closeStore,
      ),
  }
}

/** The engine with everything else that control API and pages show. */
function controlParts(
  config: Config,
  engine: Engine,
  guard: GuardSettings,
  isStopping: () => boolean,
): ControlParts {
  const started = stopwatch()
  return {
    ...engine,
    get seed() {
      return engine.seed
    },
    waits: new Waits(engine),
    streams: new EventStreams(engine),
    ...worldChanges(config, engine, isStopping),
    reference: reference(() => servedOperations(engine.clients.commonSettings)),
    guard,
    version,
    programCall: ownProgramCall,
    runtime: process.version,
    database: config.database,
    memoryBytes: () => process.memoryUsage.rss(),
    shippedFixtures: new ShippedFixtures(fixturesFolder),
    uptimeMs: () => Math.round(stopwatch() - started),
  }
}

type LateRoutes = Readonly<Record<'control' | 'pages', (c: Context) => Promise<Response>>>

const lateRoutes = (parts: ControlParts): LateRoutes => ({
  control: late(async () =>
    new Hono().route('/_emulator', (await import('../control/control.ts')).createControl(parts)),
  ),
  pages: late(async () => (await import('../pages/pages.ts')).createPages(parts)),
})

const routesOf = (engine: Engine, parts: ControlParts, { control, pages }: LateRoutes): Hono =>
  createService(engine)
    .get('/', browsersToDashboard)
    .get('/llms.txt', async () => (await import('../pages/assets.ts')).introduction())
    .get('/_emulator/health', (c, next) => (c.req.url.includes('?') ? next() : healthNow(parts)))
    .all('/pay/*', pages)
    .on(['GET', 'POST'], dashboardPaths, pages)
    // One route: with paths like `/{id}` beside fixed ones, Hono would search a tree for each request.
    .all('/_emulator/*', control)

/** What stands beside the calls of the control API. */
const dashboardPaths = ['/_emulator', '/_emulator/', '/_emulator/ui/*']

/** Sends a browser at the bare address to the dashboard; other callers get 404. */
const browsersToDashboard: MiddlewareHandler = async (c, next) =>
  c.req.header('accept')?.includes('text/html') ? c.redirect('/_emulator/') : next()

/** Routes that are loaded when one is first asked for: no start has to wait for them. */
function late(load: () => Promise<Hono>): (c: Context) => Promise<Response> {
  let loading: Promise<Hono> | undefined
  return async (c) => {
    loading ??= load()
    const app = await loading
    return app.fetch(c.req.raw, c.env)
  }
}

/** Writes down a request of which nobody knows whose it was. */
function recordUnread(
  { cause, message, origin, ...request }: UnreadRequest,
  { journal, clients }: Engine,
): Readonly<Record<string, string>> {
  const id = journal.nextId()
  const wallAt = wallNow()
  journal.record({
    ...request,
    ...{ id, wallAt, at: wallAt, ms: 0 },
    ...{ clientId: null, operation: null, requestId: null, body: '', notes: [] },
    diagnosis: { cause, message },
  })
  return journalHeaders(id, request.status, clients.commonSettings.publicBaseUrl ?? origin)
}

/** The requests that are being handled, whether anybody still waits for their answers or not. */
class InFlight {
  #count = 0
  #onNone = () => {}

  /** Counts one until its answer is there. */
  until(answer: Promise<Response>): Promise<Response> {
    this.#count += 1
    answer.then(this.#end, this.#end)
    return answer
  }

  /** Resolves once there are none. */
  none(): Promise<void> {
    if (this.#count === 0) return Promise.resolve()
    return new Promise((resolve) => {
      this.#onNone = resolve
    })
  }

  readonly #end = (): void => {
    this.#count -= 1
    if (this.#count === 0) this.#onNone()
  }
}

/** Who may use the control API, as the configuration wants it. */
function accessOf(config: Config): GuardSettings {
  return { controlToken: controlTokenOf(config), allowedHosts: allowedHosts(config) }
}

/** A given token wins over open control; another host than loopback without either gets a random one. */
function controlTokenOf({ controlToken, openControl, host }: Config): string | null {
  if (controlToken !== undefined) return controlToken
  return isLoopback(host) || openControl ? null : randomBytes(18).toString('base64url')
}

function allowedHosts({ allowedHosts: names, publicUrl }: Config): string[] {
  const own = publicUrl === undefined ? [] : [new URL(publicUrl).hostname]
  return [...names, ...own].map((name) => name.toLowerCase())
}

import { randomBytes } from 'node:crypto'
import { type Context, Hono, type MiddlewareHandler } from 'hono'
import { servedOperations } from '../api/operations/operations.ts'
import { createService } from '../api/service.ts'
import { errorText } from '../api/service-errors.ts'
import { healthNow } from '../control/calls/health.ts'
import type { GuardSettings } from '../control/guards.ts'
import type { ControlParts } from '../control/parts.ts'
import { EventStreams } from '../control/watch/event-streams.ts'
import { Waits } from '../control/watch/waits.ts'
import type { Client } from '../domain/client/client.ts'
import { journalHeaders } from '../domain/journal/entry.ts'
import type { SweepOrder } from '../domain/sweep/behaviour.ts'
import { isControl, type UnreadAnswer, type UnreadRequest } from '../http/front-door.ts'
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
  /** The current routes. Read this property for each request, because a changed setting can replace the router. */
  readonly app: Hono
  /** @param env the connection of the request, if there is one */
  answer(request: Request, env?: object): Promise<Response>
  readonly feed: Feed
  readonly seed: string
  /** The token that the control API requires; null if it is open. */
  readonly controlToken: string | null
  /** The results of the configuration's fixtures at this start. */
  readonly fixtures: readonly FixtureReport[]
  demoClient(): Client
  clientNow(clientId: string): number
  /** Sets the emulator's own port, so that no webhook is sent to the emulator itself. */
  listensAt(address: string, port: number): void
  /** Records a request that was refused before `app` saw it.
   *  @returns the body of the answer, and its headers that name the entry */
  refused(request: UnreadRequest): UnreadAnswer
  /** Stops new work and waits up to `drainMs` for deliveries in flight. The next start repeats unfinished
   *  deliveries. Requests are still answered. */
  drain(): Promise<void>
  /** Drains if necessary, waits for running requests, and closes the store. */
  close(): Promise<void>
}

/** Parts that only a program can hand in, not the command line. */
export interface EmulatorParts {
  /** Replaces the configured database. The caller closes this store. */
  readonly store?: Store | undefined
  /** Functions in this process that receive webhooks instead of the network. */
  readonly webhookFetchAt?: WebhookFetchAt | undefined
  /** The behaviours of a `sweep` that the emulator applies. */
  readonly sweep?: SweepOrder | undefined
  /** The folder for this emulator's coverage file. */
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
  // Built again when a settings change adds or removes routes.
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
    reference: reference(
      () => servedOperations(engine.clients.commonSettings),
      () => engine.clients.commonSettings,
    ),
    guard,
    version,
    programCall: ownProgramCall,
    runtime: process.version,
    database: config.database,
    learned: config.learned,
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
    .all(`${engine.clients.commonSettings['paths.paymentPage']}/*`, pages)
    .on(['GET', 'POST'], dashboardPaths, pages)
    // A single route: with paths like `/{id}` beside fixed ones, Hono would search a tree for each request.
    .all('/_emulator/*', control)

const dashboardPaths = ['/_emulator', '/_emulator/', '/_emulator/ui/*']

/** Redirects a browser from `/` to the dashboard; other callers get 404. */
const browsersToDashboard: MiddlewareHandler = async (c, next) =>
  c.req.header('accept')?.includes('text/html') ? c.redirect('/_emulator/') : next()

/** Loads routes with the first request to them, so that no start waits for them. */
function late(load: () => Promise<Hono>): (c: Context) => Promise<Response> {
  let loading: Promise<Hono> | undefined
  return async (c) => {
    loading ??= load()
    const app = await loading
    return app.fetch(c.req.raw, c.env)
  }
}

/** Records a request whose client is unknown in the request log, and words its answer like the API that it was meant
 *  for. */
function recordUnread(
  { cause, message, origin, ...request }: UnreadRequest,
  { journal, clients }: Engine,
): UnreadAnswer {
  const id = journal.nextId()
  const wallAt = wallNow()
  const { status, method, path } = request
  const about = { id, method, path, requestId: null, at: wallAt }
  const response = isControl(path)
    ? JSON.stringify({ error: { code: 'bad_request', message } })
    : errorText({ status, code: 'bad_request', message }, clients.commonSettings, about)
  journal.record({
    ...request,
    ...{ id, wallAt, at: wallAt, ms: 0, response: status === 0 ? '' : response },
    ...{ clientId: null, operation: null, requestId: null, body: '', notes: [] },
    diagnosis: { cause, message },
  })
  return { response, headers: journalHeaders(id, status, clients.commonSettings.publicBaseUrl ?? origin) }
}

/** Counts the running requests, including those whose callers are gone. */
class InFlight {
  #count = 0
  #onNone = () => {}

  /** Counts a request until its response is ready. */
  until(answer: Promise<Response>): Promise<Response> {
    this.#count += 1
    answer.then(this.#end, this.#end)
    return answer
  }

  /** Resolves when no request is in progress. */
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

function accessOf(config: Config): GuardSettings {
  return { controlToken: controlTokenOf(config), allowedHosts: allowedHosts(config) }
}

/** A given token takes precedence over open control; a non-loopback host without either gets a random token. */
function controlTokenOf({ controlToken, openControl, host }: Config): string | null {
  if (controlToken !== undefined) return controlToken
  return isLoopback(host) || openControl ? null : randomBytes(18).toString('base64url')
}

function allowedHosts({ allowedHosts: names, publicUrl }: Config): string[] {
  const own = publicUrl === undefined ? [] : [new URL(publicUrl).hostname]
  return [...names, ...own].map((name) => name.toLowerCase())
}

import { type Context, Hono, type MiddlewareHandler } from 'hono'
import { accessOf } from './access.ts'
import { servedOperations } from './api/operations.ts'
import { createService } from './api/service.ts'
import type { Config } from './config.ts'
import { healthNow } from './control/health-now.ts'
import type { ControlParts } from './control/parts.ts'
import { EventStreams } from './control/watch/event-streams.ts'
import { Waits } from './control/watch/waits.ts'
import type { Client } from './domain/client.ts'
import { journalHeaders } from './domain/journal-headers.ts'
import type { SweepOrder } from './domain/sweep/sweep-order.ts'
import { type Begun, createEngine, type Engine, inOrder, type OnError } from './engine.ts'
import type { UnreadRequest } from './http/front-door.ts'
import type { Feed } from './journal/feed.ts'
import { AddedScenarios } from './lifecycle/added-scenarios.ts'
import { readFixtures, ShippedFixtures } from './lifecycle/fixture-files.ts'
import type { FixtureReport } from './lifecycle/fixtures.ts'
import { ScenarioCatalog } from './lifecycle/scenario-catalog.ts'
import { BuiltInScenarios } from './lifecycle/scenario-files.ts'
import { reference } from './openapi/reference.ts'
import { fixturesFolder, scenariosFolder, version } from './package.ts'
import { openSqliteStore } from './store/sqlite/open.ts'
import type { Store } from './store/store.ts'
import { atMost, every } from './time/timers.ts'
import { stopwatch, wallNow } from './time/wall.ts'
import type { WebhookFetchAt } from './webhooks/receiving-function.ts'
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
export interface HandedIn {
  /** Where everything is kept, instead of the database of the configuration; whoever hands it in closes it. */
  readonly store?: Store | undefined
  /** Who takes webhooks instead of the network. */
  readonly webhookFetchAt?: WebhookFetchAt | undefined
  /** The behaviours that a sweep has it play. */
  readonly sweep?: SweepOrder | undefined
  /** A folder to which it writes what the applications have met, into a file of its own. */
  readonly coverageFolder?: string | undefined
}

/** Puts the emulator together: the one place where rooms are wired.
 *  @throws DatabaseRefused, ScenarioFileError, FixtureRefused, FixtureUnreadable */
export async function createEmulator(
  config: Config,
  onError: OnError,
  handedIn: HandedIn = {},
): Promise<Emulator> {
  const addedScenarios = new AddedScenarios(config.scenarios)
  const scenarioFiles = new ScenarioCatalog(addedScenarios, new BuiltInScenarios(scenariosFolder))
  const world = readFixtures(config.fixtures, fixturesFolder, {
    scenarios: scenarioFiles,
    common: config.settings,
  })
  const { store, closeStore } = await openStore(config, onError, handedIn)
  try {
    const begun = { store, scenarioFiles, addedScenarios, world }
    return await assemble(config, begun, { ...handedIn, onError, closeStore })
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
  { store: given }: HandedIn,
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
  begun: Begun,
  around: HandedIn & { onError: OnError; closeStore: () => Promise<void> },
): Promise<Emulator> {
  const { webhookFetchAt, sweep, coverageFolder, onError, closeStore } = around
  const started = stopwatch()
  const access = accessOf(config)
  // Made anew when settings change which routes there are.
  let current: Hono | null = null
  const engine = await createEngine(config, begun, {
    onSettings: () => {
      current = null
    },
    secrets: access.controlToken === null ? [] : [access.controlToken],
    onError,
    webhookFetchAt,
    sweep,
    coverageFolder,
  })
  const { clients, scheduler, feed } = engine
  const waits = new Waits(engine)
  const streams = new EventStreams(engine)
  const parts: ControlParts = {
    ...engine,
    get seed() {
      return engine.seed
    },
    waits,
    streams,
    ...worldChanges(config, engine, () => drained !== undefined),
    reference: reference(() => servedOperations(clients.commonSettings)),
    guard: access,
    version,
    runtime: process.version,
    database: config.database,
    memoryBytes: () => process.memoryUsage.rss(),
    shippedFixtures: new ShippedFixtures(fixturesFolder),
    uptimeMs: () => Math.round(stopwatch() - started),
  }
  const control = late(async () =>
    new Hono().route('/_emulator', (await import('./control/control.ts')).createControl(parts)),
  )
  const pages = late(async () => (await import('./pages/pages.ts')).createPages(parts))
  const served = () => {
    current ??= createService(engine)
      .get('/', browsersToDashboard)
      .get('/llms.txt', async () => (await import('./pages/assets.ts')).introduction())
      .get('/_emulator/health', (c, next) => (c.req.url.includes('?') ? next() : healthNow(parts)))
      .all('/pay/*', pages)
      .on(['GET', 'POST'], dashboardPaths, pages)
      // Not among the routes here: with paths like `/{id}` beside fixed ones, Hono would search a tree for each request.
      .all('/_emulator/*', control)
    return current
  }
  engine.start()
  const handling = new Handling()
  let drained: Promise<void> | undefined
  const drain = () => {
    waits.stop()
    streams.stop()
    drained ??= engine.drain()
    return drained
  }
  return {
    get app() {
      return served()
    },
    feed,
    get seed() {
      return engine.seed
    },
    controlToken: access.controlToken,
    fixtures: engine.reports,
    demoClient: () => clients.get(config.clientId),
    clientNow: (clientId) => scheduler.now(clientId),
    listensAt: (address, port) => engine.targets.setOwn(address, port),
    refused: (request) => journalled(request, engine),
    answer: (request, env) => {
      const app = served()
      return handling.until(Promise.resolve(app.fetch(request, env)))
    },
    drain,
    close: () =>
      inOrder(
        drain,
        // Also those whose callers have gone away: the store must not close under them.
        () => atMost(config.drainMs, handling.none()),
        engine.close,
        closeStore,
      ),
  }
}

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
function journalled(
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
class Handling {
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

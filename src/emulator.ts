import { randomBytes } from 'node:crypto'
import type { Hono } from 'hono'
import { HeldAnswers } from './api/faults/held-answers.ts'
import { servedOperations } from './api/operations.ts'
import { createService } from './api/service.ts'
import { beginWorlds } from './begin-worlds.ts'
import { type Config, isLoopback } from './config.ts'
import { createControl } from './control/control.ts'
import { EventStreams } from './control/watch/event-streams.ts'
import { Waits } from './control/watch/waits.ts'
import type { Client } from './domain/client.ts'
import type { FixtureFile } from './domain/fixture/fixture-file.ts'
import { withoutSecretHeaders } from './domain/secrets.ts'
import type { UnreadRequest } from './front-door.ts'
import { joinedHeaders } from './http/headers.ts'
import { Feed } from './journal/feed.ts'
import { Journal } from './journal/journal.ts'
import { Tally } from './journal/tally.ts'
import { AddedScenarios } from './lifecycle/added-scenarios.ts'
import { ApiFaults } from './lifecycle/api-faults.ts'
import { BuiltInScenarios } from './lifecycle/built-in-scenarios.ts'
import { Clients } from './lifecycle/clients.ts'
import { CommonSettings } from './lifecycle/common-settings.ts'
import { FaultPlans } from './lifecycle/fault-plans.ts'
import { readFixtures } from './lifecycle/fixture-files.ts'
import { type FixtureReport, Fixtures } from './lifecycle/fixtures.ts'
import { Lifecycle } from './lifecycle/lifecycle.ts'
import { PutScenarios } from './lifecycle/put-scenarios.ts'
import { ScenarioCatalog } from './lifecycle/scenario-catalog.ts'
import { ScenarioWatch } from './lifecycle/scenario-watch.ts'
import { SettingLayers } from './lifecycle/setting-layers.ts'
import { reference } from './openapi/reference.ts'
import { fixturesFolder, scenariosFolder, version } from './package.ts'
import { reset } from './reset.ts'
import { restoreSnapshot, takeSnapshot } from './snapshot.ts'
import { openSqliteStore } from './store/sqlite/open.ts'
import type { Store } from './store/store.ts'
import { type KeepClocks, Scheduler } from './time/scheduler.ts'
import { every } from './time/timers.ts'
import { steadyWall, stopwatch, wallNow } from './time/wall.ts'
import { Outbox } from './webhooks/outbox.ts'
import { Targets } from './webhooks/targets.ts'

const tidyEveryMs = 200

/** What happens inside and nobody asked for: bugs, a disk that is full. */
export type OnError = (error: unknown, id?: string) => void

/** A running emulator without a port: `app` answers requests. */
export interface Emulator {
  /** Ask for it at each request: it is made anew when a setting changes which routes there are. */
  readonly app: Hono
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
  /** Writes into the journal what was refused before `app` saw it, and answers the id of the entry. */
  refused(request: UnreadRequest): string
  /** Starts nothing more and waits for the deliveries in flight, at most `drainMs`; what is left over is repeated
   *  at the next start. Requests are still answered. */
  drain(): Promise<void>
  /** Drains, if that has not been done, and closes the store. */
  close(): Promise<void>
}

/** Puts the emulator together: the one place where rooms are wired.
 *  @throws DatabaseRefused, ScenarioFileError, FixtureRefused */
export async function createEmulator(config: Config, onError: OnError): Promise<Emulator> {
  const addedScenarios = new AddedScenarios(config.scenarios)
  const scenarioFiles = new ScenarioCatalog(addedScenarios, new BuiltInScenarios(scenariosFolder))
  const world = readFixtures(config.fixtures, fixturesFolder, {
    scenarios: scenarioFiles,
    common: config.settings,
  })
  const store = await openSqliteStore({ file: config.database, durable: config.durable })
  try {
    return await assemble(config, { store, scenarioFiles, addedScenarios, world }, onError)
  } catch (error) {
    await store.close()
    throw error
  }
}

async function assemble(
  config: Config,
  {
    store,
    scenarioFiles,
    addedScenarios,
    world,
  }: {
    store: Store
    scenarioFiles: ScenarioCatalog
    addedScenarios: AddedScenarios
    world: readonly FixtureFile[]
  },
  onError: OnError,
): Promise<Emulator> {
  const started = stopwatch()
  // Made anew when settings change which routes there are.
  let app: Hono | null = null
  // A snapshot may bring another one.
  let seed = await store.seed(config.seed ?? randomBytes(8).toString('hex'))
  await store.recover()
  const feed = new Feed(onError)
  const tally = new Tally()
  feed.listen(tally.listen)
  const putScenarios = new PutScenarios(store)
  for (const problem of await putScenarios.load()) onError(new Error(problem))
  const catalog = new ScenarioCatalog(putScenarios, scenarioFiles)
  const scenarioWatch = new ScenarioWatch(config.scenarios, addedScenarios, (news) =>
    feed.tell({ type: 'scenario', news }),
  )
  const wall = steadyWall()
  const keep: KeepClocks = async (clocks) => {
    await store.saveClocks(clocks)
    feed.tell({ type: 'clocks', clocks })
  }
  const scheduler = new Scheduler({ wall, keep, onError })
  const layers = new SettingLayers(publicUrlIn(config))
  const clients = new Clients({
    store,
    scheduler,
    settings: layers,
    wall,
    defaults: { ...config.clock, startTime: config.startTime },
    onEmptied: (clientId) => {
      outbox.drop(clientId)
      held.giveUp(clientId)
      journal.forget(clientId)
    },
  })
  const commonSettings = new CommonSettings({
    store,
    clients,
    layers,
    onChanged: () => {
      app = null
    },
  })
  const lifecycle = new Lifecycle({
    store,
    clients,
    catalog,
    scheduler,
    seed: () => seed,
    onCommitted: (decision) => {
      feed.tell({ type: 'order', decision })
      for (const delivery of decision.events) {
        if (delivery.status === 'skipped') feed.tell({ type: 'skipped', delivery })
      }
    },
    onError,
  })
  const faultPlans = new FaultPlans({ store, clients, scheduler, seed: () => seed, wall })
  const faults = new ApiFaults({
    store,
    plans: faultPlans,
    versions: lifecycle.versions,
    scheduler,
    seed: () => seed,
  })
  const held = new HeldAnswers(scheduler)
  const targets = new Targets(config.webhookAllow)
  const outbox = new Outbox({
    store,
    targets,
    client: (clientId) => clients.find(clientId),
    settings: (clientId, over) => clients.settingsOf(clientId, over),
    now: (clientId) => scheduler.now(clientId),
    wake: (clientId) => scheduler.wake(clientId),
    gone: (clientId, url) => clients.pauseWebhooks(clientId, url),
    faults: (clientId) => faultPlans.ofDeliveries(clientId),
    onFaultsMet: (met) => faultPlans.met(met),
    onAttempt: (delivery, url, at, result) => feed.tell({ type: 'attempt', delivery, url, at, result }),
    onSkipped: (delivery) => feed.tell({ type: 'skipped', delivery }),
    onChanged: (clientId, change, ids) => feed.tell({ type: 'deliveries', change, clientId, ids }),
    onError,
  })
  scheduler.addQueue(lifecycle)
  scheduler.addQueue(outbox)
  scheduler.addQueue(held)
  const controlToken = controlTokenOf(config)
  const journal = new Journal({
    store,
    feed,
    startedAt: wallNow(),
    secrets: (clientId) => [...clients.secrets(clientId), ...(controlToken === null ? [] : [controlToken])],
    onError,
  })
  const fixtures = new Fixtures({ clients, catalog, seed: () => seed, wall })
  await commonSettings.load()
  await clients.load()
  for (const problem of await faultPlans.load()) onError(new Error(problem))
  const begin = () => beginWorlds(world, config, { clients, fixtures })
  const reports = await begin()

  const waits = new Waits({ store, lifecycle, journal, feed, scheduler })
  const streams = new EventStreams({ store, lifecycle, journal, feed, onError })
  let resetting: Promise<void> = Promise.resolve()
  const parts = {
    store,
    clients,
    commonSettings,
    fixtures,
    lifecycle,
    scheduler,
    outbox,
    held,
    faults,
    faultPlans,
    journal,
    feed,
    catalog,
    putScenarios,
    addedScenarios,
    get seed() {
      return seed
    },
    onError,
  }
  const reload = async (clientId: string | undefined) => {
    for (const problem of await faultPlans.load()) onError(new Error(problem))
    if (clientId !== undefined) return
    seed = await store.seed(seed)
    for (const problem of await putScenarios.load()) onError(new Error(problem))
    await commonSettings.load()
  }
  const control = createControl({
    ...parts,
    waits,
    streams,
    get seed() {
      return seed
    },
    reference: reference(() => servedOperations(clients.commonSettings)),
    guard: { controlToken, allowedHosts: allowedHosts(config) },
    version,
    runtime: process.version,
    tally,
    uptimeMs: () => Math.round(stopwatch() - started),
    reset: (scope) => {
      // One after the other: two at once would both make the demo client.
      resetting = resetting.catch(() => undefined).then(() => reset(scope, config, { ...parts, begin }))
      return resetting
    },
    snapshot: (clientId) => takeSnapshot(clientId, parts),
    restore: (snapshot, clientId) => {
      const restoring = resetting
        .catch(() => undefined)
        .then(async () => {
          const clientIds = await restoreSnapshot(snapshot, clientId, { ...parts, wall, reload })
          feed.tell({ type: 'worlds', clientIds })
          const clocks = clientIds.map((each) => ({ clientId: each, clock: scheduler.clockState(each) }))
          feed.tell({ type: 'clocks', clocks })
          return clientIds
        })
      resetting = restoring.then(
        () => undefined,
        () => undefined,
      )
      return restoring
    },
  })
  const served = () => {
    app ??= createService(parts).route('/_emulator', control)
    return app
  }
  scheduler.start()
  scenarioWatch.start()
  const stopTidying = every(tidyEveryMs, () => store.tidy().catch(onError))
  let drained: Promise<void> | undefined
  const drain = () => {
    waits.stop()
    streams.stop()
    drained ??= stopWork(scheduler, lifecycle, outbox, held, config.drainMs)
    return drained
  }
  return {
    get app() {
      return served()
    },
    feed,
    get seed() {
      return seed
    },
    controlToken,
    fixtures: reports,
    demoClient: () => clients.get(config.clientId),
    clientNow: (clientId) => scheduler.now(clientId),
    listensAt: (address, port) => targets.setOwn(address, port),
    refused: ({ rawHeaders, cause, message, ...request }) => {
      const id = journal.nextId()
      journal.record({
        ...request,
        ...{ id, wallAt: wallNow(), at: wallNow(), ms: 0 },
        ...{ clientId: null, operation: null, requestId: null, body: '', notes: [] },
        headers: withoutSecretHeaders(joinedHeaders(rawHeaders)),
        diagnosis: { cause, message },
      })
      return id
    },
    drain,
    close: () =>
      inOrder(
        drain,
        () => journal.close(),
        async () => stopTidying(),
        async () => scenarioWatch.stop(),
        () => store.close(),
      ),
  }
}

function stopWork(
  scheduler: Scheduler,
  lifecycle: Lifecycle,
  outbox: Outbox,
  held: HeldAnswers,
  patienceMs: number,
): Promise<void> {
  return inOrder(
    async () => {
      lifecycle.stop()
      held.stop()
    },
    () => scheduler.stop(),
    () => outbox.stop(patienceMs),
  )
}

/** Does one thing after the other, though one fails (a full disk): then it fails like the first of them at the end. */
async function inOrder(...acts: readonly (() => Promise<void>)[]): Promise<void> {
  const failures: unknown[] = []
  for (const act of acts) await act().catch((error: unknown) => failures.push(error))
  if (failures.length > 0) throw failures[0]
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

/** `--public-url` is a short way to say `publicBaseUrl`; the settings file wins. */
function publicUrlIn({ settings, publicUrl }: Config) {
  return publicUrl === undefined ? settings : { publicBaseUrl: publicUrl.replace(/\/$/, ''), ...settings }
}

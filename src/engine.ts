import { HeldAnswers } from './api/faults/held-answers.ts'
import { beginWorlds } from './begin-worlds.ts'
import type { Config } from './config.ts'
import type { FixtureFile } from './domain/fixture/fixture-file.ts'
import type { SweepOrder } from './domain/sweep/sweep-order.ts'
import { Coverage } from './journal/coverage.ts'
import { Feed } from './journal/feed.ts'
import { Journal } from './journal/journal.ts'
import { SweepRecord } from './journal/sweep-record.ts'
import { Tallies } from './journal/tallies.ts'
import type { AddedScenarios } from './lifecycle/added-scenarios.ts'
import { Clients } from './lifecycle/clients.ts'
import { CommonSettings } from './lifecycle/common-settings.ts'
import { FaultPlans } from './lifecycle/fault-plans.ts'
import { type FixtureReport, Fixtures } from './lifecycle/fixtures.ts'
import { Lifecycle } from './lifecycle/lifecycle.ts'
import { NewClocks } from './lifecycle/new-clocks.ts'
import { PlayedBehaviours } from './lifecycle/played-behaviours.ts'
import { PutScenarios } from './lifecycle/put-scenarios.ts'
import { randomSeed } from './lifecycle/random-seed.ts'
import { ScenarioCatalog } from './lifecycle/scenario-catalog.ts'
import { ScenarioWatch } from './lifecycle/scenario-watch.ts'
import { SettingLayers } from './lifecycle/setting-layers.ts'
import type { Load } from './lifecycle/world-exchange.ts'
import type { Store } from './store/store.ts'
import { type KeepClocks, Scheduler } from './time/scheduler.ts'
import { steadyWall, wallNow } from './time/wall.ts'
import { Outbox } from './webhooks/outbox.ts'
import type { WebhookFetchAt } from './webhooks/receiving-function.ts'
import { Targets } from './webhooks/targets.ts'

/** What happens inside and nobody asked for: bugs, a disk that is full. */
export type OnError = (error: unknown, id?: string) => void

/** Everything of an emulator that needs no HTTP server: both APIs are made of it. */
export type Engine = Awaited<ReturnType<typeof createEngine>>

/** What is read before anything is made, and can be refused. */
export interface Begun {
  readonly store: Store
  readonly scenarioFiles: ScenarioCatalog
  readonly addedScenarios: AddedScenarios
  readonly world: readonly FixtureFile[]
}

/** Puts the rooms together, up to those that answer requests, and makes the clients of the start.
 *  @param around what the engine tells: settings have changed for all; what is to be hidden in the journal; and who
 *    takes the webhooks, if they are not to go out */
export async function createEngine(
  config: Config,
  { store, scenarioFiles, addedScenarios, world }: Begun,
  around: {
    onSettings: () => void
    secrets: readonly string[]
    onError: OnError
    webhookFetchAt?: WebhookFetchAt | undefined
    sweep?: SweepOrder | undefined
    coverageFolder?: string | undefined
  },
) {
  const { onError } = around
  const sweepRecord = new SweepRecord(onError)
  const behaviours = new PlayedBehaviours((strike) => sweepRecord.struck(strike))
  if (around.sweep !== undefined) {
    behaviours.play(around.sweep.behaviours, around.sweep.seed)
    sweepRecord.begin(around.sweep.behaviours, around.sweep.record)
  }
  const folder = around.coverageFolder
  const coverage = new Coverage(
    folder === undefined ? null : { folder, name: `emulator-${randomSeed()}` },
    onError,
  )
  // A snapshot may bring another one.
  let seed = await store.begin(config.seed ?? randomSeed())
  const feed = new Feed(onError)
  const tallies = new Tallies()
  feed.listen(tallies.listen)
  feed.listen(sweepRecord.listen)
  feed.listen(coverage.listen)
  const putScenarios = new PutScenarios(store, onError)
  const catalog = new ScenarioCatalog(putScenarios, scenarioFiles)
  const scenarioWatch = new ScenarioWatch(config.scenarios, addedScenarios, (news) =>
    feed.tell({ type: 'scenario', news }),
  )
  const wall = steadyWall()
  const keep: KeepClocks = async (clocks) => {
    await store.saveClocks(clocks)
    feed.tell({ type: 'clocks', clocks })
  }
  const scheduler = new Scheduler({
    wall,
    keep,
    onError,
    onMoved: (moves) => feed.tell({ type: 'moved', moves }),
  })
  const layers = new SettingLayers(publicUrlIn(config))
  const clients = new Clients({
    store,
    scheduler,
    settings: layers,
    newClocks: new NewClocks({ ...config.clock, startTime: config.startTime }, wall),
    behaviours,
    onEmptied: (clientId) => emptied(clientId),
    withoutLog: (act) => journal.whileItWaits(act),
  })
  for (const secret of around.secrets) clients.secrets.add(secret, null)
  const commonSettings = new CommonSettings({
    store,
    clients,
    layers,
    onChanged: around.onSettings,
  })
  const faultPlans = new FaultPlans({ store, clients, scheduler, seed: () => seed, wall, onError })
  const lifecycle = new Lifecycle({
    store,
    clients,
    catalog,
    plans: faultPlans,
    scheduler,
    seed: () => seed,
    behaviours,
    onCommitted: (decision) => {
      behaviours.committed(decision)
      feed.tell({ type: 'order', decision })
      for (const delivery of decision.events) {
        if (delivery.status === 'skipped') feed.tell({ type: 'skipped', delivery })
      }
    },
    onError,
  })
  const held = new HeldAnswers(scheduler)
  const targets = new Targets(config.webhookAllow)
  const outbox = new Outbox({
    store,
    targets,
    webhookFetchAt: around.webhookFetchAt,
    place: config.place,
    client: (clientId) => clients.find(clientId),
    settings: (clientId, over) => clients.settingsOf(clientId, over),
    now: (clientId) => scheduler.now(clientId),
    mask: (text, clientId) => clients.secrets.mask(text, clientId),
    wake: (clientId) => scheduler.wake(clientId),
    gone: (clientId, url) => clients.pauseWebhooks(clientId, url),
    faults: (clientId) => faultPlans.ofDeliveries(clientId),
    onFaultsMet: (met) => faultPlans.met(met),
    onClaimed: (deliveries) => feed.tell({ type: 'claimed', deliveries }),
    onAttempt: (delivery, url, at, result) => {
      behaviours.attempted(delivery.orderId)
      feed.tell({ type: 'attempt', delivery, url, at, result })
    },
    onSkipped: (delivery) => feed.tell({ type: 'skipped', delivery }),
    onChanged: (clientId, change, ids) => feed.tell({ type: 'deliveries', change, clientId, ids }),
    onError,
  })
  scheduler.addQueue(lifecycle)
  scheduler.addQueue(outbox)
  scheduler.addQueue(held)
  const journal: Journal = new Journal({
    store,
    feed,
    startedAt: wallNow(),
    secrets: clients.secrets,
    onError,
  })
  const fixtures = new Fixtures({ clients, catalog, seed: () => seed, wall })
  /** What is remembered of the store beside clients: of everything, or only what a client's world has with others'.
   *  @param seedThere of a world of everything */
  const remembered = (seedThere?: string): Load[] => {
    if (seedThere === undefined) return [faultPlans.load]
    const loadSeed = async () => () => {
      seed = seedThere
    }
    return [loadSeed, faultPlans.load, putScenarios.load, commonSettings.load]
  }
  for (const load of [...remembered(seed), clients.worlds.loadClients]) (await load())()
  /** Makes the clients that there are at a start. */
  const begin = (): Promise<FixtureReport[]> => beginWorlds(world, config, { clients, fixtures })
  const reports = await begin()
  /** What is remembered beside the clients of a world that the store has emptied, or of all of them. */
  const emptied = (clientId?: string) => {
    outbox.drop(clientId)
    held.giveUp(clientId)
    journal.forget(clientId)
    faultPlans.forget(clientId)
    tallies.forget(clientId)
    feed.tell({ type: 'emptied', clientId })
  }
  return {
    store,
    clients,
    commonSettings,
    fixtures,
    lifecycle,
    scheduler,
    outbox,
    targets,
    held,
    faultPlans,
    journal,
    feed,
    tallies,
    behaviours,
    sweepRecord,
    coverage,
    catalog,
    putScenarios,
    addedScenarios,
    wall,
    onError,
    reports,
    begin,
    remembered,
    get seed() {
      return seed
    },
    /** Sets time and the watch over files going. */
    start: () => {
      scheduler.start()
      scenarioWatch.start()
    },
    /** Starts nothing more and waits for the deliveries in flight. */
    drain: () =>
      inOrder(
        async () => {
          lifecycle.stop()
          held.stop()
        },
        () => scheduler.stop(),
        () => outbox.stop(config.drainMs),
      ),
    /** Ends the rest but for the store; called when it is drained. */
    close: () =>
      inOrder(
        () => journal.close(),
        async () => coverage.close(),
        async () => scenarioWatch.stop(),
      ),
  }
}

/** Does one thing after the other, though one fails (a full disk): then it fails like the first of them at the end. */
export async function inOrder(...acts: readonly (() => Promise<void>)[]): Promise<void> {
  const failures: unknown[] = []
  for (const act of acts) await act().catch((error: unknown) => failures.push(error))
  if (failures.length > 0) throw failures[0]
}

/** `--public-url` is a short way to say `publicBaseUrl`; the settings file wins. */
function publicUrlIn({ settings, publicUrl }: Config) {
  return publicUrl === undefined ? settings : { publicBaseUrl: publicUrl.replace(/\/$/, ''), ...settings }
}

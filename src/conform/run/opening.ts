import { createHash, randomUUID } from 'node:crypto'
import { didYouMean } from '../../domain/text/issue-words.ts'
import { ControlCallRefused, type TestClient, type TestEmulator } from '../../index.ts'
import { stopwatch, wallNow } from '../../time/wall.ts'
import { type Application, inTime, ProbeFailed } from '../application/application.ts'
import { applicationOf } from '../application/http-application.ts'
import type { ApplicationProcess } from '../application/process.ts'
import { type Pulse, pulseOf } from '../application/pulse.ts'
import type { ConformConfig } from '../config/config.ts'
import { Finding, NotSeen, WrongConfiguration } from '../finding.ts'
import type { ConfigurationProblem } from '../report.ts'
import { checkSetup } from '../setup/check-setup.ts'
import type { Setting } from '../stage/case-context.ts'
import { nothingLearned } from '../stage/case-context.ts'
import { Mutex } from '../stage/mutex.ts'
import { happy } from '../stage/scripts.ts'
import { SharedClock } from '../stage/shared-clock.ts'
import { Stage } from '../stage/stage.ts'
import { takeOver } from './client-takeover.ts'

/** Maximum measured settle time, however slow the application is. */
const longestSettleMs = 3_000
/** Minimum watch time: a fast application may sometimes be slower. */
const shortestWatchMs = 150

/** Measures how long the application takes to act on a payment, and uses that as its settle time. A slower
 *  application than configured is then not reported as failing, and its late duplicate actions are seen. */
async function atItsOwnPace(setting: Setting): Promise<Pick<Setting, 'app' | 'casesAtOnce'>> {
  const { app } = setting
  if (app.start === null || app.probe === null) return { app, casesAtOnce: fewAtOnce }
  const tookMs = await timeToAct(setting)
  if (tookMs === 'unknown') return { app, casesAtOnce: 1 }
  if (tookMs === 'never') return { app: withoutHope(app), casesAtOnce: 1 }
  const settleMs = Math.max(app.settleMs, Math.min(2 * tookMs, longestSettleMs))
  return {
    casesAtOnce: tookMs <= fastMs ? manyAtOnce : tookMs <= 4 * fastMs ? fewAtOnce : 1,
    app: {
      ...app,
      settleMs,
      actsWithinMs: Math.min(settleMs, Math.max(5 * tookMs, shortestWatchMs)),
      patienceMs: Math.max(app.patienceMs, 2 * tookMs),
    },
  }
}

/** How quickly a fast application acts on a payment. It can serve many cases side by side. */
const fastMs = 100
const manyAtOnce = 32
const fewAtOnce = 4

/** Shortens all waits for an application that did not act on a normal payment: K01 reports that. */
function withoutHope(app: Application): Application {
  const enoughMs = Math.max(2 * app.settleMs, 1_000)
  return {
    ...app,
    patienceMs: Math.min(app.patienceMs, enoughMs),
    pollingMs: Math.min(app.pollingMs, enoughMs),
  }
}

/** Milliseconds from the webhook of the payment until the order is fulfilled; `never` if it is not within the
 *  maximum. */
async function timeToAct(setting: Setting): Promise<number | 'never' | 'unknown'> {
  const stage = await Stage.open('K00', setting)
  try {
    // A slow reaction to CREATED would find the order paid, and seem to be a quick one to COMPLETED.
    const order = await stage.order({ follows: { ...happy, webhooks: { of: 'CREATED', drop: true } } })
    await stage.advance('10s')
    const watch = stopwatch()
    const acted = await stage.until(
      async () => {
        const seen = await order.probe()
        return seen?.state === 'COMPLETED' && (seen.effects ?? 1) > 0
      },
      Math.max(setting.app.patienceMs, setting.app.pollingMs),
    )
    return acted ? Math.round(stopwatch() - watch) : 'never'
  } catch (error) {
    // An error of the application is left for the cases to report.
    if (error instanceof Finding || error instanceof NotSeen || error instanceof ProbeFailed) return 'unknown'
    throw error
  } finally {
    await stage.close()
  }
}

/** A prepared run, or the problems that prevent it. */
export interface Opened {
  /** The parts that all cases share; null if the configuration is wrong. */
  readonly setting: Setting | null
  readonly problems: readonly ConfigurationProblem[]
  readonly pulse: Pulse
  /** Restores the client; its clock stays ahead. */
  restore(): Promise<void>
}

export interface Opening {
  readonly emulator: TestEmulator
  readonly config: ConformConfig
  readonly seed: string
  readonly signal: AbortSignal | undefined
  readonly process: ApplicationProcess | null
}

/** Prepares the client, and checks before the first case whether the application can be observed. Problems of the
 *  configuration are in the result.
 *  @throws EmulatorUnreachable; the abort reason */
export async function opened(opening: Opening): Promise<Opened> {
  // Imported late: it loads zod, which a test would load a second time beside the engine's.
  const { configProblems } = await import('../config/config-schema.ts')
  const wrong = configProblems(opening.config)
  if (wrong.length > 0)
    return nothingOpened(
      wrong.map(({ path, message }) => ({ member: path.join('.') || 'configuration', message })),
    )
  const taken = await begun(opening).catch(problemIn)
  if ('message' in taken) return nothingOpened([taken])
  const { setting, restore } = taken
  const webhookUrl = setting.app.webhookUrl ?? undefined
  const pulse = await pulseOf({ ...opening.config, webhookUrl })
  try {
    return { ...(await tried(setting, opening.emulator)), pulse, restore }
  } catch (error) {
    if (error instanceof WrongConfiguration && !opening.signal?.aborted)
      return { setting: null, problems: [error.problem], pulse, restore }
    await restore().catch(() => undefined)
    opening.signal?.throwIfAborted()
    throw error
  }
}

/** The result for a configuration that is wrong from the start. */
const nothingOpened = (problems: readonly ConfigurationProblem[]): Opened => ({
  ...{ setting: null, problems },
  pulse: async () => true,
  restore: async () => undefined,
})

function problemIn(error: unknown): ConfigurationProblem {
  if (error instanceof WrongConfiguration) return error.problem
  throw error
}

/** Takes over the client.
 *  @throws WrongConfiguration if there is no such client, or if another run holds it */
async function begun({ emulator, config, seed, signal, process }: Opening): Promise<{
  setting: Setting
  restore: Opened['restore']
}> {
  const client = await clientNamed(config.client ?? 'demo-client', emulator)
  const configured = (await client.read()).webhookUrl
  const app = inTime(applicationOf(config, config.webhookUrl ?? configured), signal)
  // Unique, from time and a random number: an application may remember names of earlier runs, and another run may be in
  // progress.
  const run = `${wallNow().toString(36)}${randomUUID().slice(0, 4)}`
  const { putBack, restore } = await takeOver(client, app, run)
  const sharedClock = new SharedClock(client, async (nowMs) => app.time?.(nowMs))
  const setting = {
    ...{ sharedClock, clock: sharedClock.free },
    starting: new Mutex(),
    casesAtOnce: 1,
    ...{ client, app, process, putBack, signal },
    unique: counting(run),
    draw: drawing(seed),
    learned: nothingLearned(),
  }
  return { setting, restore }
}

/** @throws WrongConfiguration if the emulator has no client of that name */
async function clientNamed(clientId: string, emulator: TestEmulator): Promise<TestClient> {
  try {
    return await emulator.client(clientId)
  } catch (error) {
    if (!(error instanceof ControlCallRefused) || error.status !== 404) throw error
    const names = (await emulator.clients()).map((each) => each.clientId)
    const hint = didYouMean(clientId, names) || `; there are ${names.slice(0, 20).join(', ')}`
    throw new WrongConfiguration(
      'client',
      `the emulator at ${emulator.url} has no client ${JSON.stringify(clientId)}${hint}`,
    )
  }
}

/** Checks whether everything can be reached and read, and measures the application.
 *  @throws WrongConfiguration; the abort reason of the run */
async function tried(
  setting: Setting,
  emulator: TestEmulator,
): Promise<Pick<Opened, 'setting' | 'problems'>> {
  const left = await leftFaults(setting.client)
  if (left.length > 0) return { setting: null, problems: left }
  setting.learned.answersNothing = await answersNothing(setting)
  if (setting.learned.answersNothing) return { setting, problems: [] }
  const problems = await checkSetup(setting, emulator)
  setting.signal?.throwIfAborted()
  if (problems.length > 0) return { setting: null, problems }
  return { setting: { ...setting, ...(await atItsOwnPace(setting)) }, problems }
}

/** Creates new names with the same prefix. */
function counting(beginning: string): () => string {
  let count = 0
  return () => {
    count += 1
    return `${beginning}${count.toString(36)}`
  }
}

/** Creates numbers that follow from the seed and the name of the draw. */
const drawing =
  (seed: string) =>
  (name: string, bound: number): number =>
    createHash('sha256').update(`${seed} ${name}`).digest().readUInt32BE() % bound

/** The problem with faults that were planned for the client before a run: their effects would look like errors of
 *  the application. */
async function leftFaults(client: TestClient): Promise<ConfigurationProblem[]> {
  const left = (await client.faults.list()).filter(({ over }) => !over)
  if (left.length === 0) return []
  const ids = left.map(({ id }) => id).join(', ')
  return [
    {
      member: 'client',
      message: `${left.length === 1 ? 'a fault is' : `${left.length} faults are`} planned for the client ${client.clientId} (${ids}), and would distort the results; remove ${left.length === 1 ? 'it' : 'them'} on the dashboard or with \`DELETE /_emulator/faults/{id}\``,
    },
  ]
}

/** Whether an application answers no webhook. Each case would wait for each webhook and see the same; K01 and K03
 *  report it. */
async function answersNothing(setting: Setting): Promise<boolean> {
  const stage = await Stage.open('K00', setting)
  try {
    const { order } = await stage.begin({ follows: { ...happy, settings: { 'webhook.retry.max': 0 } } })
    const begun = await order(setting.app.patienceMs)
    if (begun.orderId === null) return false
    await stage.settle()
    if (!(await isSilent(stage))) return false
    await stage.advance('5s')
    return await isSilent(stage)
  } catch (error) {
    // An error of the application is left for the cases to report.
    if (error instanceof Finding) return false
    throw error
  } finally {
    await stage.close()
  }
}

async function isSilent({ orders }: Stage): Promise<boolean> {
  const deliveries = (await Promise.all(orders.map((order) => order.deliveries()))).flat()
  const attempts = deliveries.flatMap((delivery) => delivery.attempts)
  return attempts.length > 0 && attempts.every(({ outcome }) => outcome === 'timeout')
}

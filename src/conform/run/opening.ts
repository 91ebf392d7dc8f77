import { createHash, randomUUID } from 'node:crypto'
import { didYouMean } from '../../domain/nearest.ts'
import type { TestClient, TestEmulator } from '../../index.ts'
import { ControlCallRefused } from '../../index.ts'
import { wallNow } from '../../time/wall.ts'
import { applicationOf } from '../application/http-application.ts'
import { inTime } from '../application/in-time.ts'
import { type Pulse, pulseOf } from '../application/pulse.ts'
import { takeOver } from '../client/client-care.ts'
import type { ConformConfig } from '../config/config.ts'
import { WrongConfiguration } from '../finding.ts'
import type { ConfigurationProblem } from '../report.ts'
import { checkSetup } from '../setup/check-setup.ts'
import { leftFaults } from '../setup/left-faults.ts'
import { atItsOwnPace } from '../setup/own-pace.ts'
import { answersNothing } from '../setup/silence.ts'
import { nothingLearned } from '../stage/learned.ts'
import type { Setting } from '../stage/setting.ts'

/** A run that can begin, or that cannot. */
export interface Opened {
  /** null if the configuration is wrong. */
  readonly setting: Setting | null
  /** What is wrong with the configuration. */
  readonly problems: readonly ConfigurationProblem[]
  readonly pulse: Pulse
  /** Restores the client; its clock stays ahead. */
  restore(): Promise<void>
}

/** What a run is about. */
export interface Opening {
  readonly emulator: TestEmulator
  readonly config: ConformConfig
  readonly seed: string
  /** Ends the run early. */
  readonly signal: AbortSignal | undefined
}

/** Makes the client ready, and finds out whether anything can be judged, before the first case. What cannot is told as
 *  problems.
 *  @throws EmulatorUnreachable; the reason of `signal` */
export async function opened(opening: Opening): Promise<Opened> {
  // Loaded late: it brings zod along, which a test would load once more beside the engine's.
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

/** Where the configuration is wrong before anything has begun. */
const nothingOpened = (problems: readonly ConfigurationProblem[]): Opened => ({
  ...{ setting: null, problems },
  pulse: async () => true,
  restore: async () => undefined,
})

function problemIn(error: unknown): ConfigurationProblem {
  if (error instanceof WrongConfiguration) return error.problem
  throw error
}

/** Takes the client over. @throws WrongConfiguration if there is no such client, or if another run holds it */
async function begun({ emulator, config, seed, signal }: Opening): Promise<{
  setting: Setting
  restore: Opened['restore']
}> {
  const client = await clientNamed(config.client ?? 'demo-client', emulator)
  const configured = (await client.read()).webhookUrl
  const app = inTime(applicationOf(config, config.webhookUrl ?? configured), signal)
  // Of the moment and of chance, too: an application may remember what an earlier run has sent, and another run may go
  // on beside this one.
  const run = `${wallNow().toString(36)}${randomUUID().slice(0, 4)}`
  const { putBack, restore } = await takeOver(client, app, run)
  const setting = {
    ...{ client, app, putBack, signal },
    unique: counting(run),
    draw: drawing(seed),
    learned: nothingLearned(),
  }
  return { setting, restore }
}

/** @throws WrongConfiguration if there is none of that name */
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

/** Whether everything can be reached and read, and how long the application takes.
 *  @throws WrongConfiguration; the reason of the run's signal */
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
  return { setting: { ...setting, app: await atItsOwnPace(setting) }, problems }
}

/** Names that begin alike, new each time. */
function counting(beginning: string): () => string {
  let count = 0
  return () => {
    count += 1
    return `${beginning}${count.toString(36)}`
  }
}

/** Numbers that follow from the seed and what each is drawn for. */
const drawing =
  (seed: string) =>
  (name: string, bound: number): number =>
    createHash('sha256').update(`${seed} ${name}`).digest().readUInt32BE() % bound

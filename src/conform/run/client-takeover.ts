import { createHash } from 'node:crypto'
import { type ClockPace, ControlCallRefused, type TestClient } from '../../index.ts'
import { every, pause } from '../../time/timers.ts'
import { wallNow } from '../../time/wall.ts'
import type { Application } from '../application/application.ts'
import { WrongConfiguration } from '../finding.ts'
import { happy } from '../stage/scripts.ts'

interface FormerClient {
  readonly webhookUrl: string | null
  readonly settings: Readonly<Record<string, unknown>>
  readonly pace: ClockPace
  /** The ids of the faults that were planned for the client before the run. */
  readonly faults: readonly string[]
}

/** The mark of a run on a client, which other runs see. */
interface Mark {
  /** The name of the run that holds the client. */
  readonly run: string
  /** A number that increases as long as the run is alive. */
  readonly beat: number
  readonly since: number
  readonly former: FormerClient
}

/** How often a run updates its mark, and after how long without an update it counts as dead, milliseconds. */
interface HoldTiming {
  readonly beatMs: number
  readonly deadMs: number
}

/** How long another run may need from its look at the client until its mark, wall-clock milliseconds. */
const sameMomentMs = 50
const usualTiming: HoldTiming = { beatMs: 500, deadMs: 5_000 }

/** The hold of a run on a client, so that no other run moves its clock. The emulator stores the mark as a scenario
 *  that no order uses: all users of the client see it, on any machine. */
class Hold {
  readonly #client: TestClient
  readonly #mark: Mark
  #beats = 0
  #last: Promise<void> = Promise.resolve()
  #stop = () => {}

  private constructor(client: TestClient, mark: Mark) {
    this.#client = client
    this.#mark = mark
  }

  /** @param run the prefix of the names that the run creates
   *  @throws WrongConfiguration if another run takes the client at the same moment */
  static async take(
    client: TestClient,
    { run, former, timing = usualTiming }: { run: string; former: FormerClient; timing?: HoldTiming },
  ): Promise<Hold> {
    const hold = new Hold(client, { run, beat: 0, since: wallNow(), former })
    await hold.#beat()
    // Another run may have looked at the same moment, and found the client free: the last mark wins.
    await pause(sameMomentMs)
    const mark = await markOn(client)
    if (mark !== null && mark.run !== run) throw inUse(client.clientId, mark.since)
    hold.#stop = every(timing.beatMs, () => {
      // An update of the mark may fail without ending the run.
      hold.#last = hold.#last.then(() => hold.#beat()).catch(() => undefined)
    })
    return hold
  }

  async end(): Promise<void> {
    this.#stop()
    // Waits for a pending update, which would otherwise restore the mark after its removal.
    await this.#last
    await this.#client.scenarios.remove(nameOf(this.#client))
  }

  async #beat(): Promise<void> {
    this.#beats += 1
    const { clientId } = this.#client
    const id = nameOf(this.#client)
    const description = `A run of conform holds the client ${clientId}. This marker is not a scenario for orders.`
    const scenario = JSON.stringify({ id, description, ...happy })
    await this.#client.scenarios.put(
      id,
      `# ${JSON.stringify({ ...this.#mark, beat: this.#beats })}\n${scenario}`,
    )
  }
}

/** Checks whether another run holds a client. A run without updates counts as dead.
 *  @returns the mark of a dead run; null without one
 *  @throws WrongConfiguration if the run is alive */
async function leftByOther(
  client: TestClient,
  { beatMs, deadMs }: HoldTiming = usualTiming,
): Promise<Mark | null> {
  const first = await markOn(client)
  // Counts checks instead of measuring time: if this process stalls, the other run may have stalled too.
  for (let looks = deadMs / beatMs; looks > 0 && first !== null; looks--) {
    await pause(beatMs)
    const mark = await markOn(client)
    if (mark === null) return null
    if (mark.beat !== first.beat || mark.run !== first.run) throw inUse(client.clientId, mark.since)
  }
  return first
}

function inUse(clientId: string, since: number): WrongConfiguration {
  const time = new Date(since).toISOString().replace(/\..*/, 'Z')
  return new WrongConfiguration(
    'client',
    `another run of \`conform\` or \`explore\` has used the client ${JSON.stringify(clientId)} since ${time}, and two runs would both move its clock; wait until that run has ended, or give this run and its application a client of their own`,
  )
}

/** Reads the mark of a run on a client; null if there is no readable one. */
async function markOn(client: TestClient): Promise<Mark | null> {
  try {
    const { text } = await client.scenarios.get(nameOf(client))
    return JSON.parse(text.split('\n')[0]?.replace('# ', '') ?? '')
  } catch (error) {
    if (error instanceof SyntaxError) return null
    if (error instanceof ControlCallRefused && error.status === 404) return null
    throw error
  }
}

const nameOf = ({ clientId }: TestClient): string =>
  `conform-holds-${createHash('sha256').update(clientId).digest('hex').slice(0, 16)}`

/** A client that a run has taken over, and can restore. */
export interface TakenOverClient {
  /** Restores the state that all cases of the run begin with. */
  putBack(): Promise<void>
  /** Restores the client as it was before the run; its clock stays ahead. */
  restore(): Promise<void>
}

/** Token settings during a run: advancing the clock by months must expire no token, because only K30 and K31 test that.
 *  A longer lifetime would break timers of applications, which end at 24.8 days. */
const tokens = { 'auth.tokenLifetime': '20d', 'auth.tokenExpiry': 'by-scenario' }

/** No rate limits during a run: the calls of all cases would meet on a clock that stands still, and only K33 tests an
 *  answer 429. */
const unlimited = { limits: [] }

/** The retry settings that the cases expect, whatever other tests of the client have set. */
const asServicesSend = {
  'webhook.retry.max': 10,
  'webhook.retry.base': '1s',
  'webhook.retry.cap': '10m',
  'webhook.retry.schedule': 'doubling',
  'webhook.retry.after': 'honour',
  'webhook.gone': 'pause',
  'webhook.disableAfter': 'never',
  'webhook.timeout': '5s',
}

/** Orders are paid when a case or a story says so, also those of an application that asks for a payment page. */
const payers = { 'orders.autopay': 'always' }

/** Sends each event at once, in the form of a batch if the settings have one: the cases say when an event is due. */
async function oneByOne(client: TestClient): Promise<Readonly<Record<string, unknown>>> {
  const batch = (await client.settings()).effective['webhook.batch']
  return batch === null || batch === undefined ? {} : { 'webhook.batch': { ...Object(batch), max: 1 } }
}

/** Stops the client's clock, and sets the application's webhook URL and signature. Restores first what a dead run
 *  has changed.
 *  @param run the prefix of the names in this run
 *  @throws WrongConfiguration if another run holds the client */
export async function takeOver(
  client: TestClient,
  app: Application,
  run: string,
  timing?: HoldTiming,
): Promise<TakenOverClient> {
  const left = await leftByOther(client, timing)
  if (left !== null) await cleanUp(client, left)
  const former = await stateOf(client)
  const during = {
    ...signedFor(app, former.settings),
    ...tokens,
    ...unlimited,
    ...asServicesSend,
    ...payers,
    ...(await oneByOne(client)),
  }
  const hold = await Hold.take(client, { run, former, ...(timing && { timing }) })
  await client.clock.set({ mode: 'manual' })
  await become(client, app.webhookUrl, during)
  return {
    putBack: () => become(client, app.webhookUrl, during),
    restore: async () => {
      await restore(client, former)
      await hold.end()
    },
  }
}

/** Settings with the signature that the application verifies. */
function signedFor({ webhookSignature }: Application, settings: FormerClient['settings']) {
  if (webhookSignature === 'none' || webhookSignature === 'settings') return settings
  const { 'webhook.signature': _, ...others } = settings
  return { ...others, 'webhook.auth': webhookSignature }
}

async function stateOf(client: TestClient): Promise<FormerClient> {
  const { settings, webhookUrl, clock } = await client.read()
  const faults = (await client.faults.list()).map(({ id }) => id)
  const pace =
    clock.mode === 'manual' ? ({ mode: 'manual' } as const) : ({ mode: 'real', speed: clock.speed } as const)
  return { webhookUrl, settings, pace, faults }
}

async function restore(client: TestClient, { webhookUrl, settings, pace }: FormerClient): Promise<void> {
  await become(client, webhookUrl, settings)
  await client.clock.set(pace)
}

/** Undoes the changes of a dead run. Faults are removed first, because they may refuse every call of the
 *  application. */
async function cleanUp(
  client: TestClient,
  { run, former }: { run: string; former: FormerClient },
): Promise<void> {
  for (const { id } of await client.faults.list())
    if (!former.faults.includes(id)) await client.faults.remove(id)
  await client.scenarios.clearPlanned()
  await client.deliveries.release()
  const scripts = (await client.scenarios.list()).filter(({ id }) => /^conform-k\d\d-/.test(id))
  for (const { id } of scripts)
    if (id.slice('conform-k00-'.length).startsWith(run)) await client.scenarios.remove(id)
  await restore(client, former)
}

/** Sets the client's own token to the same value, which makes an expired one valid again. */
async function become(
  client: TestClient,
  webhookUrl: string | null,
  settings: Readonly<Record<string, unknown>>,
): Promise<void> {
  const { settings: found, accessToken } = await client.read()
  const added = Object.keys(found).filter((name) => !Object.hasOwn(settings, name))
  const without = Object.fromEntries(added.map((name) => [name, null]))
  await client.change({ webhookUrl, accessToken, settings: { ...settings, ...without } })
}

import { createHash } from 'node:crypto'
import type { ClockPace, TestClient } from '../../index.ts'
import { ControlCallRefused } from '../../index.ts'
import { every, pause } from '../../time/timers.ts'
import { wallNow } from '../../time/wall.ts'
import { WrongConfiguration } from '../finding.ts'
import { happy } from '../stage/scripts.ts'

/** What a client was like before a run. */
export interface FormerClient {
  readonly webhookUrl: string | null
  readonly settings: Readonly<Record<string, unknown>>
  readonly pace: ClockPace
  /** The ids of the faults that were planned. */
  readonly faults: readonly string[]
}

/** What a run says of itself, for other runs. */
interface Mark {
  /** Which run it is: what its names begin with. */
  readonly run: string
  /** Grows for as long as the run goes on. */
  readonly beat: number
  readonly since: number
  readonly former: FormerClient
}

/** How often a run shows that it goes on, and after how long without that it is taken to have died, milliseconds. */
export interface HoldTiming {
  readonly beatMs: number
  readonly deadMs: number
}

const usualTiming: HoldTiming = { beatMs: 500, deadMs: 5_000 }

/** A client that one run holds, so that no other moves its clock meanwhile. The emulator keeps the mark, as a scenario
 *  that no order follows: whoever sees the client sees it, on whatever machine. */
export class Hold {
  readonly #client: TestClient
  readonly #mark: Mark
  #beats = 0
  #last: Promise<void> = Promise.resolve()
  #stop = () => {}

  private constructor(client: TestClient, mark: Mark) {
    this.#client = client
    this.#mark = mark
  }

  /** @param run what its names begin with */
  static async take(
    client: TestClient,
    { run, former, timing = usualTiming }: { run: string; former: FormerClient; timing?: HoldTiming },
  ): Promise<Hold> {
    const hold = new Hold(client, { run, beat: 0, since: wallNow(), former })
    await hold.#beat()
    hold.#stop = every(timing.beatMs, () => {
      // One that comes late is no reason to end a run.
      hold.#last = hold.#last.then(() => hold.#beat()).catch(() => undefined)
    })
    return hold
  }

  async end(): Promise<void> {
    this.#stop()
    // One that is on its way would bring back what is taken away here.
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

/** Looks whether another run holds a client. One that shows no life any more has died.
 *  @returns what the dead one has left, null if there was none
 *  @throws WrongConfiguration if it lives */
export async function leftByOther(
  client: TestClient,
  { beatMs, deadMs }: HoldTiming = usualTiming,
): Promise<Mark | null> {
  const first = await markOn(client)
  // Counted, not timed: where this process stands still for a while, so may the other.
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
    `another run of \`conform\` has used the client ${JSON.stringify(clientId)} since ${time}, and two runs would both move its clock; wait until that run has ended, or give this run and its application a client of their own`,
  )
}

/** null if there is none that can be read. */
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

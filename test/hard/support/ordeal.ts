import { connect, create, createUnder } from './load.ts'
import { type Program, type StartOptions, startProgram } from './program.ts'

/** A run of lives on one database file, each under load and ended by a kill. */
export interface Ordeal {
  /** At most. */
  readonly lives: number
  /** Asked after each life whether that was the last. */
  readonly enough?: () => boolean
  /** Creates that are under way at a time. */
  readonly creators: number
  /** The scenario of the n-th order, from 0; `happy` if not given. */
  readonly scenario?: (n: number) => string
  /** Arguments of `serve`. */
  readonly args: readonly string[]
  /** How the program of one life is started. */
  readonly options?: (life: number) => StartOptions
  /** Ends a life; without it the program dies by itself. */
  readonly kill?: (program: Program, load: Load) => Promise<void>
  /** Called before each life. */
  readonly onStart?: (life: number) => void
  readonly onReady?: () => void
  readonly onEnd?: () => void
}

/** The load on a life that has not ended. */
interface Load {
  /** Resolves as soon as that many of this life's creates have been answered with 200: on a slow machine, later. */
  acknowledged(count: number): Promise<void>
}

/** The observations of the creators. */
export interface Outcome {
  /** requestIds of the creates that were answered with 200. */
  readonly acknowledged: readonly string[]
  /** requestIds of the creates whose connection broke, life by life. */
  readonly unanswered: readonly (readonly string[])[]
  /** Creates that were answered with anything else. */
  readonly refused: number
  /** When the last of the acknowledged was, on the test's monotonic clock. */
  readonly lastAnsweredAt: number
  /** How each life ended: exit codes and signals. */
  readonly ends: readonly (number | string | null)[]
  readonly readyMs: readonly number[]
}

/** A life that dies by itself comes to that on any machine; this bounds what hangs. */
const patienceMs = 180_000

/** Lives one life after the other. */
export async function ordeal({
  lives,
  creators,
  scenario,
  args,
  options,
  kill,
  ...tell
}: Ordeal): Promise<Outcome> {
  const acknowledged: string[] = []
  const unanswered: string[][] = []
  const ends: (number | string | null)[] = []
  const readyMs: number[] = []
  let asked = 0
  let refused = 0
  let lastAnsweredAt = 0

  for (let life = 0; life < lives; life++) {
    tell.onStart?.(life)
    const program = await startProgram(args, options?.(life))
    tell.onReady?.()
    readyMs.push(program.readyMs)
    const pool = connect(program.url, creators)
    const broken: string[] = []
    const before = acknowledged.length
    let onAcknowledged = () => {}
    const load: Load = {
      acknowledged: (count) =>
        new Promise((resolve) => {
          onAcknowledged = () => acknowledged.length - before >= count && resolve()
          onAcknowledged()
        }),
    }
    const createUntilItDies = async () => {
      for (;;) {
        const n = asked++
        const requestId = `r-${n}`
        const status = await (scenario === undefined
          ? create(pool, requestId)
          : createUnder(scenario(n), pool, requestId))
        if (status === 200) {
          acknowledged.push(requestId)
          lastAnsweredAt = performance.now()
          onAcknowledged()
        } else if (status !== null) refused += 1
        if (status !== null) continue
        broken.push(requestId)
        // Each creator has met the end of this life.
        return
      }
    }
    const creating = Array.from({ length: creators }, createUntilItDies)
    await kill?.(program, load)
    // A process that does not die is stopped, which is another ending.
    const patience = setTimeout(() => program.child.kill(), patienceMs)
    ends.push(await program.exited)
    clearTimeout(patience)
    await Promise.all(creating)
    await pool.destroy()
    unanswered.push(broken)
    tell.onEnd?.()
    if (tell.enough?.()) break
  }
  return { acknowledged, unanswered, refused, lastAnsweredAt, ends, readyMs }
}

import type { JournalEntry, TestClient } from '../../index.ts'
import { wallNow } from '../../time/wall.ts'
import { type Application, unlessAborted } from '../application/application.ts'
import type { ApplicationProcess } from '../application/process.ts'
import type { Leak } from '../evidence/leaks.ts'
import { NotSeen, WrongConfiguration } from '../finding.ts'
import type { CaseId, TimelineEntry } from '../report.ts'
import { callsSince, lastCallOf } from './call-journal.ts'
import type { Mutex } from './mutex.ts'
import type { SharedClock } from './shared-clock.ts'
import { until } from './waiting.ts'

/** Knowledge about the application from earlier cases, so that later ones need not wait for it. A case that runs
 *  alone waits as long as the configuration says. */
interface Learned {
  /** Whether the application, without a webhook, did not notice a payment within the polling time. */
  neverLooks: boolean
  /** Whether the application did not fulfil an unpaid order, however long it was watched. */
  waitsForPayment: boolean
  /** Whether the application answers no webhook. */
  answersNothing: boolean
  /** The case in which a start call named an earlier order; null if none. */
  repeatedIn: CaseId | null
  /** Secrets in the calls of the cases that have ended. */
  readonly leaks: Leak[]
}

export const nothingLearned = (): Learned => ({
  neverLooks: false,
  waitsForPayment: false,
  answersNothing: false,
  repeatedIn: null,
  leaks: [],
})

/** The client, the application and the helpers that all cases of a run share. */
export interface Setting {
  readonly client: TestClient
  readonly app: Application
  /** The client's clock, which moves for all cases that run side by side. */
  readonly clock: SharedClock
  /** One start call at a time: the next create call takes the planned scenario. */
  readonly starting: Mutex
  /** How many cases may run side by side with an application of this speed. */
  readonly casesAtOnce: number
  /** The process of the application; null if this run has not started it. */
  readonly process: ApplicationProcess | null
  /** Returns a new name of letters and digits at each call. */
  readonly unique: () => string
  /** Draws a number from 0 to below `bound`. It follows from the seed of the run and the name. */
  readonly draw: (name: string, bound: number) => number
  /** Knowledge about the application, to which the cases add. */
  readonly learned: Learned
  /** Restores what a case has changed of the client: URL, settings, its own token. */
  readonly putBack: () => Promise<void>
  readonly signal: AbortSignal | undefined
}

/** Options of a report line. */
interface NoteOptions {
  /** The requestId, if the line is about only one order. */
  readonly about?: string | null | undefined
  /** Whether a create call of the application follows from this line. */
  readonly begins?: boolean | undefined
}

/** A report line about an act or observation of conform. */
export interface Note extends TimelineEntry, NoteOptions {}

/** The report lines of a case. */
class Notes {
  readonly #lines: Note[] = []
  readonly #wallAt: number

  /** @param wallAt the start of the case on the clock of the request log, because times of two clocks cannot be
   *    compared */
  constructor(wallAt: number) {
    this.#wallAt = wallAt
  }

  /** @param atMs milliseconds on the client's clock since the case began */
  add(atMs: number, what: string, options: NoteOptions): void {
    const wallMs = wallNow() - this.#wallAt
    this.#lines.push({ atMs, wallMs, who: 'conform', what, ...options })
  }

  about(requestId: string | null): Note[] {
    return this.#lines.filter(({ about = null }) => about === null || about === requestId)
  }
}

const neededFor = {
  start: 'a call that makes your application create an order',
  probe: 'a call that returns the status of an order in your application',
  webhookUrl: 'the URL where your application receives webhooks',
} as const

/** The state of the emulator when a case begins. */
export interface CaseStart {
  /** The time on the client's clock. */
  readonly now: number
  /** The id of the last call in the request log before the case. */
  readonly lastCall: string | null
}

export const caseStart = async ({ client }: Setting): Promise<CaseStart> => ({
  now: await client.clock.now(),
  lastCall: await lastCallOf(client),
})

/** Everything that the parts of a running case share: the application, the client and its clock, the report lines, and
 *  waiting. */
export class CaseContext {
  readonly id: CaseId
  readonly app: Application
  readonly client: TestClient
  readonly learned: Learned
  /** When the case began, on the client's clock and on the wall clock. */
  readonly began: { readonly at: number; readonly wallAt: number }
  readonly #notes: Notes
  readonly #setting: Setting
  readonly #unseen = new Set<string>()
  readonly #remarks = new Set<string>()
  readonly #lastCall: string | null
  #drawn = 0
  #now: number

  constructor(id: CaseId, setting: Setting, { now, lastCall }: CaseStart) {
    this.id = id
    this.app = setting.app
    this.client = setting.client
    this.learned = setting.learned
    this.#setting = setting
    this.#now = now
    this.#lastCall = lastCall
    this.began = { at: now, wallAt: wallNow() }
    this.#notes = new Notes(this.began.wallAt)
  }

  /** Facts that could not be observed, in words. A case with any is no PASS. */
  get unseen(): readonly string[] {
    return [...this.#unseen]
  }

  /** Adds a fact that cannot be observed. @param what the missing configuration */
  cannotSee(what: string): void {
    this.#unseen.add(what)
  }

  /** Ends the case at once if the configuration lacks one of these fields. @throws NotSeen */
  needs(...fields: readonly (keyof typeof neededFor)[]): void {
    const [lacking] = fields.filter((field) => this.app[field] === null)
    if (lacking !== undefined) throw new NotSeen(`it needs \`${lacking}\`: ${neededFor[lacking]}`)
  }

  /** Remarks for the report that are not errors of the application. */
  get remarks(): readonly string[] {
    return [...this.#remarks]
  }

  /** Adds a remark that is shown with a PASS. */
  remark(what: string): void {
    this.#remarks.add(what)
  }

  /** Adds a line to the timeline. */
  note(what: string, options: NoteOptions = {}): void {
    this.#notes.add(this.#now - this.began.at, what, options)
  }

  /** The lines about one order, and those about no order in particular. */
  notesAbout(requestId: string | null): Note[] {
    return this.#notes.about(requestId)
  }

  /** The wall-clock milliseconds within which the application learns of any change: by polling, unless it is known
   *  not to poll. */
  get longestMs(): number {
    const { patienceMs, pollingMs } = this.app
    return this.learned.neverLooks ? patienceMs : Math.max(patienceMs, pollingMs)
  }

  /** The wall-clock milliseconds within which the application acts on a change. An application that is configured to
   *  poll may ignore webhooks. */
  get actsLatestMs(): number {
    return this.app.saysItPolls ? this.longestMs : this.app.patienceMs
  }

  unique(): string {
    return this.#setting.unique()
  }

  /** Draws a number from 0 to below `bound`. It follows from the seed of the run and the case. */
  draw(bound: number): number {
    this.#drawn += 1
    return this.#setting.draw(`${this.id} ${this.#drawn}`, bound)
  }

  /** @throws the reason of the abort if the run was aborted */
  throwIfAborted(): void {
    this.#setting.signal?.throwIfAborted()
  }

  /** The process of the application; null if this run has not started it. */
  get process(): ApplicationProcess | null {
    return this.#setting.process
  }

  /** Advances the client's clock. Returns once everything that became due has ended and webhooks are answered. */
  advance(by: string): Promise<void> {
    return this.#advance(by, false)
  }

  /** Advances the client's clock by a duration or more: for a step after which nothing else is due for the orders of
   *  the case. Cases that run side by side then wait together. */
  advanceAtLeast(by: string): Promise<void> {
    return this.#advance(by, true)
  }

  async #advance(by: string, orMore: boolean): Promise<void> {
    this.throwIfAborted()
    this.note(`advances the clock by ${by}`)
    this.#now = await unlessAborted(() => this.#setting.clock.advance(by, orMore), this.#setting.signal)
  }

  /** Runs an act while no other case makes a start call. */
  starting<T>(act: () => Promise<T>): Promise<T> {
    return this.#setting.starting.run(act)
  }

  /** Waits until everything that is due now has ended and webhooks are answered; the clock stays. */
  async settle(): Promise<void> {
    await unlessAborted(() => this.client.clock.settle(), this.#setting.signal)
  }

  /** Makes the application look up its open orders. A failure is no finding while its calls fail on purpose.
   *  @returns whether that is configured */
  async reconcile(): Promise<boolean> {
    return (await this.tryReconcile()) !== null
  }

  /** Makes the application look up its open orders, for a case that checks the result.
   *  @returns the error in words, or none; null if that is not configured */
  async tryReconcile(): Promise<{ readonly error: string | null } | null> {
    const { reconcile } = this.app
    if (reconcile === null) return null
    this.note('makes the application look up its open orders')
    try {
      await reconcile()
      return { error: null }
    } catch (error) {
      if (!(error instanceof WrongConfiguration)) throw error
      this.note(`that call failed: ${error.problem.message}`)
      return { error: error.problem.message }
    }
  }

  /** The application's calls of the service since the case began, oldest first. */
  calls(where: { readonly requestId?: string } = {}): Promise<JournalEntry[]> {
    return callsSince(this.client, this.#lastCall, where)
  }

  /** Waits on the wall clock. */
  async pause(ms: number): Promise<void> {
    await this.until(async () => false, ms)
  }

  /** Repeats a check until it holds, at most for `withinMs` on the wall clock. @returns whether it held */
  until(holds: () => Promise<boolean>, withinMs = this.app.patienceMs): Promise<boolean> {
    return until(holds, withinMs, this.#setting.signal)
  }
}

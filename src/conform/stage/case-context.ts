import type { ClientLedger, JournalEntry, TestClient } from '../../index.ts'
import { wallNow } from '../../time/wall.ts'
import { type Application, unlessAborted } from '../application/application.ts'
import { NotSeen, WrongConfiguration } from '../finding.ts'
import type { CaseId, TimelineEntry } from '../report.ts'
import { callsSince, lastCallOf } from './call-journal.ts'
import { until } from './waiting.ts'

/** What one case of a run has found out about an application, so that the others need not wait to find it out again.
 *  A case that runs alone knows nothing of it, and waits for as long as the configuration says. */
interface Learned {
  /** It was told nothing of a payment, and did not find out by itself for as long as polling may take. */
  neverLooks: boolean
  /** It has released nothing for an order that was merely created, however long it was watched. */
  waitsForPayment: boolean
  /** It leaves every webhook without an answer. */
  answersNothing: boolean
  /** Case in which a start call has named an order from before; null if none has. */
  repeatedIn: CaseId | null
}

export const nothingLearned = (): Learned => ({
  neverLooks: false,
  waitsForPayment: false,
  answersNothing: false,
  repeatedIn: null,
})

/** What all cases of a run share. */
export interface Setting {
  readonly client: TestClient
  readonly app: Application
  /** Something new each time, in letters and digits. */
  readonly unique: () => string
  /** A number from 0 up to below `bound`, by the seed of the run and by what it is drawn for. */
  readonly draw: (name: string, bound: number) => number
  /** What is known by now of the application, for the cases to add to. */
  readonly learned: Learned
  /** Puts back what a case has changed of the client: URL, settings, its own token. */
  readonly putBack: () => Promise<void>
  /** Ends the run early. */
  readonly signal: AbortSignal | undefined
}

/** What else is known of a line. */
interface NoteOptions {
  /** The requestId of the only order that it is about. */
  readonly about?: string | null | undefined
  /** A create call follows from it. */
  readonly begins?: boolean | undefined
}

/** A line of what this tool has done or seen. */
export interface Note extends TimelineEntry, NoteOptions {}

/** What a case has done and seen, line by line. */
class Notes {
  readonly #lines: Note[] = []
  readonly #wallAt: number

  /** @param wallAt when the case began, by the clock of the journal: what is told by two clocks comes out of order */
  constructor(wallAt: number) {
    this.#wallAt = wallAt
  }

  /** @param atMs milliseconds of the client's clock since the case began */
  add(atMs: number, what: string, options: NoteOptions): void {
    const wallMs = wallNow() - this.#wallAt
    this.#lines.push({ atMs, wallMs, who: 'conform', what, ...options })
  }

  /** The lines that are about an order, or about none in particular. */
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
  /** The client's time. */
  readonly now: number
  /** The id of the last call before the case. */
  readonly lastCall: string | null
}

/** Reads the state in which a case begins. */
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

  /** Remarks for the report that are no findings. */
  get remarks(): readonly string[] {
    return [...this.#remarks]
  }

  /** Adds a remark that is shown with a PASS. */
  remark(what: string): void {
    this.#remarks.add(what)
  }

  /** Adds a line to the time line. */
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

  /** Draws a number from 0 up to below `bound`. It follows from the seed of the run and the case alone. */
  draw(bound: number): number {
    this.#drawn += 1
    return this.#setting.draw(`${this.id} ${this.#drawn}`, bound)
  }

  /** @throws the reason of the abort if the run was aborted */
  throwIfAborted(): void {
    this.#setting.signal?.throwIfAborted()
  }

  /** Advances the client's clock. Everything that becomes due on the way has then ended, webhooks answered. */
  async advance(by: string): Promise<ClientLedger> {
    this.throwIfAborted()
    this.note(`advances the clock by ${by}`)
    const ledger = await unlessAborted(() => this.client.clock.advance(by), this.#setting.signal)
    this.#now = ledger.now
    await this.app.time?.(ledger.now)
    return ledger
  }

  /** Waits until everything that is due now has ended, webhooks answered; the clock stays. */
  async settle(): Promise<void> {
    await unlessAborted(() => this.client.clock.settle(), this.#setting.signal)
  }

  /** Has the application look up its open orders. A failure is no finding while its calls fail on purpose.
   *  @returns whether the configuration says how */
  async reconcile(): Promise<boolean> {
    return (await this.tryReconcile()) !== null
  }

  /** Has the application look up its open orders, for a case that checks the outcome.
   *  @returns the error, in words, or none; null if the configuration does not say how */
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

import type {
  ClientLedger,
  Delivery,
  FaultRequest,
  HandMadeDelivery,
  JournalEntry,
  ScenarioId,
  TestClient,
} from '../../index.ts'
import { wallNow } from '../../time/wall.ts'
import type { Application } from '../application/application.ts'
import { unlessAborted } from '../application/in-time.ts'
import { NotSeen, WrongConfiguration } from '../finding.ts'
import type { CaseId } from '../report.ts'
import { callsSince, lastCallOf } from './call-journal.ts'
import type { Learned } from './learned.ts'
import { type Note, type NoteOptions, Notes } from './notes.ts'
import { PlannedFaults } from './planned-faults.ts'
import type { Script } from './scripts.ts'
import type { Setting } from './setting.ts'
import type { StagedOrder } from './staged-order.ts'
import { type Beginning, type OrderOptions, Starts } from './starts.ts'
import { until } from './waiting.ts'
import { WebhooksByHand } from './webhooks-by-hand.ts'

const neededFor = {
  start: 'a call that makes your application create an order',
  probe: 'a call that returns the status of an order in your application',
  webhookUrl: 'the URL where your application receives webhooks',
} as const

/** Where a case is played: what it may do to the application and what it sees of it. Everything goes through public
 *  surfaces: the emulator's library, the application's webhook URL, and the calls that its configuration names. */
export class Stage {
  readonly id: CaseId
  readonly app: Application
  readonly client: TestClient
  readonly learned: Learned
  readonly orders: StagedOrder[] = []
  readonly #began = { at: 0, wallAt: wallNow() }
  readonly #notes = new Notes(this.#began.wallAt)
  readonly #setting: Setting
  readonly #unseen = new Set<string>()
  readonly #faults: PlannedFaults
  readonly #remarks = new Set<string>()
  readonly #starts: Starts
  readonly #byHand: WebhooksByHand
  readonly #undoing: (() => Promise<unknown>)[] = []
  #lastBefore: string | null = null
  #drawn = 0
  #now = 0

  private constructor(id: CaseId, setting: Setting) {
    this.id = id
    this.app = setting.app
    this.client = setting.client
    this.learned = setting.learned
    this.#setting = setting
    this.#faults = new PlannedFaults(setting.client)
    this.#starts = new Starts(this, setting.signal)
    this.#byHand = new WebhooksByHand(this, setting.putBack)
  }

  static async open(id: CaseId, setting: Setting): Promise<Stage> {
    const stage = new Stage(id, setting)
    stage.#now = await setting.client.clock.now()
    stage.#began.at = stage.#now
    stage.#lastBefore = await lastCallOf(setting.client)
    return stage
  }

  /** Where the case began, on the client's clock and on the wall. */
  get began(): { readonly at: number; readonly wallAt: number } {
    return this.#began
  }

  /** What could not be seen, in words. */
  get unseen(): readonly string[] {
    return [...this.#unseen]
  }

  /** Notes that something cannot be seen: then the case is no PASS. @param what it needs */
  cannotSee(what: string): void {
    this.#unseen.add(what)
  }

  /** Says at once that there is nothing to see without these. @throws NotSeen */
  needs(...members: readonly (keyof typeof neededFor)[]): void {
    const [lacking] = members.filter((member) => this.app[member] === null)
    if (lacking !== undefined) throw new NotSeen(`it needs \`${lacking}\`: ${neededFor[lacking]}`)
  }

  /** What is worth a word though nothing is wrong. */
  get remarks(): readonly string[] {
    return [...this.#remarks]
  }

  /** Keeps something for the report that is no finding: a PASS is told with it. */
  remark(what: string): void {
    this.#remarks.add(what)
  }

  /** Adds a line to what happened. */
  note(what: string, options: NoteOptions = {}): void {
    this.#notes.add(this.#now - this.#began.at, what, options)
  }

  /** The lines that are about an order, or about none in particular. */
  notesAbout(requestId: string | null): Note[] {
    return this.#notes.about(requestId)
  }

  /** Within which (wall) time the application finds out whatever it finds out, milliseconds: by its polling, if it is
   *  not known by now that it has none. */
  get longestMs(): number {
    const { patienceMs, pollingMs } = this.app
    return this.learned.neverLooks ? patienceMs : Math.max(patienceMs, pollingMs)
  }

  /** Within which (wall) time it acts on what is true, milliseconds. Where the configuration says that it polls, webhooks
   *  may be nothing to it. */
  get actsLatestMs(): number {
    return this.app.saysItPolls ? this.longestMs : this.app.patienceMs
  }

  unique(): string {
    return this.#setting.unique()
  }

  /** A number from 0 up to below `bound`, by the seed of the run: the same for a case whatever ran before it. */
  draw(bound: number): number {
    this.#drawn += 1
    return this.#setting.draw(`${this.id} ${this.#drawn}`, bound)
  }

  /** @throws the reason for which somebody has ended the run, if somebody has */
  throwIfAborted(): void {
    this.#setting.signal?.throwIfAborted()
  }

  /** @see Starts.ordersMade */
  get ordersMade(): 'some' | 'none' | null {
    return this.#starts.ordersMade
  }

  /** @see Starts.order */
  order(options?: OrderOptions): Promise<StagedOrder> {
    return this.#starts.order(options)
  }

  /** @see Starts.begin */
  begin(options?: OrderOptions): Promise<Beginning> {
    return this.#starts.begin(options)
  }

  /** @see Starts.many */
  many(count: number, follows?: ScenarioId | Script): Promise<StagedOrder[]> {
    return this.#starts.many(count, follows)
  }

  /** Moves the client's clock on. Everything that becomes due on the way has ended by then, webhooks answered. */
  async advance(by: string): Promise<ClientLedger> {
    this.throwIfAborted()
    this.note(`advances the clock by ${by}`)
    const ledger = await unlessAborted(() => this.client.clock.advance(by), this.#setting.signal)
    this.#now = ledger.now
    await this.app.time?.(ledger.now)
    return ledger
  }

  /** Waits until what is due now has ended, webhooks answered; time does not move. */
  async settle(): Promise<void> {
    await unlessAborted(() => this.client.clock.settle(), this.#setting.signal)
  }

  /** @see WebhooksByHand.send */
  send(webhook: HandMadeDelivery, words?: string): Promise<Delivery> {
    return this.#byHand.send(webhook, words)
  }

  /** @see WebhooksByHand.resend */
  resend(delivery: Delivery): Promise<void> {
    return this.#byHand.resend(delivery)
  }

  /** @see WebhooksByHand.sent */
  get byHand(): readonly Delivery[] {
    return this.#byHand.sent
  }

  /** Has the application look up its open orders now. That it cannot while its calls fail is no fault of it.
   *  @returns whether the configuration says how */
  async reconcile(): Promise<boolean> {
    return (await this.tryReconcile()) !== null
  }

  /** The same, for a case that asks how it went.
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

  /** Plans a fault; it is taken back at the end of the case. @returns its id */
  plan(fault: FaultRequest): Promise<string> {
    return this.#faults.plan(fault)
  }

  /** Takes a fault back before the end of the case. */
  unplan(id: string): Promise<void> {
    return this.#faults.takeBack(id)
  }

  /** What the application has asked of the service since the case began, the oldest first. */
  calls(where: { readonly requestId?: string } = {}): Promise<JournalEntry[]> {
    return callsSince(this.client, this.#lastBefore, where)
  }

  /** Waits on the wall. */
  async pause(ms: number): Promise<void> {
    await this.until(async () => false, ms)
  }

  /** Something to undo at the end of the case, whatever becomes of it. */
  atEnd(undo: () => Promise<unknown>): void {
    this.#undoing.push(undo)
  }

  /** Asks again and again until it is so, for so long (wall) at most. @returns whether it came to be */
  until(holds: () => Promise<boolean>, withinMs = this.app.patienceMs): Promise<boolean> {
    return until(holds, withinMs, this.#setting.signal)
  }

  /** Puts back what the case has changed, and ends its orders, so that nobody goes on asking for them. All of it is
   *  tried, whatever goes wrong. */
  async close(): Promise<void> {
    const { client } = this
    const steps = [
      ...this.#undoing.toReversed(),
      ...this.#faults.undoing,
      () => client.scenarios.clearPlanned(),
      () => client.deliveries.release(),
      () => this.#setting.putBack(),
      ...this.orders.map((order) => () => order.end()),
      async () => this.orders.length > 0 && client.clock.settle(),
      ...this.#starts.scripts.map((id) => () => client.scenarios.remove(id)),
    ]
    const failures: unknown[] = []
    for (const step of steps) await step().catch((error: unknown) => failures.push(error))
    if (failures.length > 0) throw failures[0]
  }
}

import type {
  ClientLedger,
  Delivery,
  FaultRequest,
  HandMadeDelivery,
  JournalEntry,
  ScenarioId,
  TestClient,
} from '../index.ts'
import { pause } from '../time/timers.ts'
import { stopwatch, wallNow } from '../time/wall.ts'
import type { Answer, Application } from './application.ts'
import { eachOf } from './each-of.ts'
import { NotSeen } from './finding.ts'
import type { CaseId, TimelineEntry } from './report.ts'
import { happy, type Script } from './scripts.ts'
import { StagedOrder } from './staged-order.ts'

/** What all cases of a run share. */
export interface Setting {
  readonly client: TestClient
  readonly app: Application
  /** Something new each time, in letters and digits. */
  readonly unique: () => string
  /** A number from 0 up to below `bound`, by the seed of the run. */
  readonly draw: (bound: number) => number
}

/** How an order of a case begins. */
export interface OrderOptions {
  /** What happens to it: a scenario that ships, or a script of the case's own; paid at once and COMPLETED if left out. */
  readonly follows?: ScenarioId | Script | undefined
  readonly kind?: 'checkout' | 'subscription' | undefined
  /** What the customer has typed, for applications that take a text. */
  readonly text?: string | undefined
}

/** A start call that has not been answered yet. */
export interface Beginning {
  readonly answer: Promise<Answer>
  /** The order, once the application has been answered or has given up, whatever came of it. */
  readonly order: () => Promise<StagedOrder>
}

const lookEveryMs = 20

/** Where a case is played: what it may do to the application and what it sees of it. Everything goes through public
 *  surfaces: the emulator's library, the application's webhook URL, and the calls that its configuration names. */
export class Stage {
  readonly id: CaseId
  readonly app: Application
  readonly client: TestClient
  readonly draw: Setting['draw']
  readonly orders: StagedOrder[] = []
  readonly notes: TimelineEntry[] = []
  readonly #setting: Setting
  readonly #unseen = new Set<string>()
  readonly #remarks = new Set<string>()
  readonly #faults: string[] = []
  readonly #scripts: string[] = []
  readonly #began = { at: 0, wallAt: wallNow(), watch: stopwatch() }
  #now = 0

  private constructor(id: CaseId, setting: Setting) {
    this.id = id
    this.app = setting.app
    this.client = setting.client
    this.draw = setting.draw
    this.#setting = setting
  }

  static async open(id: CaseId, setting: Setting): Promise<Stage> {
    const stage = new Stage(id, setting)
    stage.#now = await setting.client.clock.now()
    stage.#began.at = stage.#now
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

  /** What is worth a word though nothing is wrong. */
  get remarks(): readonly string[] {
    return [...this.#remarks]
  }

  /** Keeps something for the report that is no finding: a PASS is told with it. */
  remark(what: string): void {
    this.#remarks.add(what)
  }

  /** Adds a line to what happened. */
  note(what: string): void {
    const wallMs = Math.round(stopwatch() - this.#began.watch)
    this.notes.push({ atMs: this.#now - this.#began.at, wallMs, who: 'conform', what })
  }

  unique(): string {
    return this.#setting.unique()
  }

  /** Has the application create an order, or has one made where it cannot be asked to.
   *  @throws NotSeen if it has made none */
  async order(options: OrderOptions = {}): Promise<StagedOrder> {
    const { order, answer } = await this.begin(options)
    await answer
    const begun = await order()
    if (begun.orderId === null) throw new NotSeen(`the application made no order: ${begun.told}`)
    return begun
  }

  /** Calls the application and waits for nothing: for orders whose create call is not answered well. */
  async begin({ follows = happy, kind = 'checkout', text }: OrderOptions = {}): Promise<Beginning> {
    const scenario = typeof follows === 'string' ? follows : await this.#put(follows)
    const start = kind === 'checkout' ? this.app.start : this.app.startSubscription
    if (start === null) return this.#withoutApplication(scenario, kind)
    await this.client.scenarios.clearPlanned()
    await this.client.scenarios.next(scenario)
    const wallAt = wallNow()
    const unique = this.unique()
    this.note(`asks the application to create a ${kind} order`)
    const answer = start({ unique, text: text ?? `A mug ${unique}` })
    const order = async () => this.#begun(await answer, wallAt)
    return { answer, order }
  }

  /** Has the application create so many orders that follow the same, several at a time. Those that it fails to create
   *  are not among them.
   *  @throws NotSeen if it cannot be asked to */
  async many(count: number, follows: ScenarioId | Script = happy): Promise<StagedOrder[]> {
    const { start } = this.app
    if (start === null)
      throw new NotSeen('it needs `start`: a call that makes your application create an order')
    const scenario = typeof follows === 'string' ? follows : await this.#put(follows)
    await this.client.scenarios.clearPlanned()
    await this.client.scenarios.next(scenario, { count })
    this.note(`asks the application to create ${count} orders`)
    const given = Array.from({ length: count }, () => ({ unique: this.unique(), text: 'A mug' }))
    const answers = await eachOf(given, start)
    const created = await this.#namesOfCreated()
    const named = answers.every(({ requestId }) => requestId !== null)
    const names = named ? answers.map(({ requestId }) => requestId) : created
    const begun = await eachOf(names, (requestId) => this.#named({ ...noAnswer, requestId }, requestId))
    return begun.filter(({ orderId }) => orderId !== null)
  }

  /** Moves the client's clock on. Everything that becomes due on the way has ended by then, webhooks answered. */
  async advance(by: string): Promise<ClientLedger> {
    this.note(`moves the clock on by ${by}`)
    const ledger = await this.client.clock.advance(by)
    this.#now = ledger.now
    await this.app.time?.(ledger.now)
    return ledger
  }

  /** Sends a webhook by hand; answers once it has been answered.
   *  @throws NotSeen if the application takes none */
  async send(webhook: HandMadeDelivery): Promise<Delivery> {
    if (this.app.webhookUrl === null)
      throw new NotSeen('it needs `webhookUrl`: your application takes no webhooks')
    return this.client.deliveries.send(webhook)
  }

  /** Plans a fault; it is taken back at the end of the case. @returns its id */
  async plan(fault: FaultRequest): Promise<string> {
    const { id } = await this.client.faults.plan(fault)
    this.#faults.push(id)
    return id
  }

  /** What the application has asked of the service since the case began, the oldest first. */
  async calls(where: { readonly requestId?: string } = {}): Promise<JournalEntry[]> {
    const entries = await this.client.requests.list(where)
    return entries.filter(({ wallAt }) => wallAt >= this.#began.wallAt)
  }

  /** Waits on the wall. */
  async pause(ms: number): Promise<void> {
    await pause(ms)
  }

  /** Asks again and again until it is so, for so long at most. @returns whether it came to be */
  async until(holds: () => Promise<boolean>, withinMs = this.app.patienceMs): Promise<boolean> {
    const watch = stopwatch()
    for (let waitMs = lookEveryMs; ; waitMs = Math.min(waitMs * 1.5, 200)) {
      if (await holds()) return true
      if (stopwatch() - watch > withinMs) return false
      await pause(waitMs)
    }
  }

  /** Puts back what the case has changed, and ends its orders, so that nobody goes on asking for them. */
  async close(): Promise<void> {
    await Promise.all(this.#faults.map((id) => this.client.faults.remove(id)))
    await this.client.scenarios.clearPlanned()
    await this.client.deliveries.release()
    for (const order of this.orders) await order.end()
    if (this.orders.length > 0) await this.client.clock.settle()
    await Promise.all(this.#scripts.map((id) => this.client.scenarios.remove(id)))
  }

  async #put(script: Script): Promise<string> {
    const id = `conform-${this.id.toLowerCase()}-${this.unique()}`
    await this.client.scenarios.put(id, { id, description: `A case of conform: ${this.id}`, ...script })
    this.#scripts.push(id)
    return id
  }

  async #withoutApplication(scenario: string, kind: 'checkout' | 'subscription'): Promise<Beginning> {
    if (kind === 'subscription')
      throw new NotSeen(
        'it needs `startSubscription`: a call that makes your application create a subscription',
      )
    this.cannotSee(
      'what became of the order: the configuration has no `start`, so your application did not create it',
    )
    const requestId = `conform-${this.unique()}`
    await this.client.orders.make({ scenario, kind, requestId, email: 'conform@example.com' })
    this.note(`makes the order ${requestId} at the service, since there is no \`start\``)
    const answer = { ...noAnswer, requestId }
    return { answer: Promise.resolve(answer), order: () => this.#begun(answer, this.#began.wallAt) }
  }

  async #begun(answer: Answer, wallAt: number): Promise<StagedOrder> {
    return this.#named(answer, answer.requestId ?? (await this.#askedFor(wallAt)))
  }

  async #named(answer: Answer, requestId: string | null): Promise<StagedOrder> {
    const [found] = requestId === null ? [] : await this.client.orders.list({ requestId, limit: 1 })
    const order = new StagedOrder(this, { answer, requestId, orderId: found?.orderId ?? null })
    this.orders.push(order)
    return order
  }

  /** The requestId of the create call that the application has made since. */
  async #askedFor(wallAt: number): Promise<string | null> {
    const entries = await this.client.requests.list({ operation: 'create-*' })
    const [first] = entries.filter((entry) => entry.wallAt >= wallAt && entry.requestId !== null)
    return first?.requestId ?? null
  }

  /** The requestIds of the create calls that were answered well since the case began. */
  async #namesOfCreated(): Promise<string[]> {
    const creates = (await this.calls()).filter(
      ({ operation, status }) => operation?.startsWith('create-') && status === 200,
    )
    return creates.flatMap(({ requestId }) => requestId ?? [])
  }
}

const noAnswer = { status: null, body: '', error: null } as const

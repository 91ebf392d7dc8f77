import type {
  ClientLedger,
  Delivery,
  FaultRequest,
  HandMadeDelivery,
  JournalEntry,
  Order,
  ScenarioId,
  TestClient,
} from '../index.ts'
import { pause } from '../time/timers.ts'
import { stopwatch, wallNow } from '../time/wall.ts'
import type { Answer, Application } from './application.ts'
import { eachOf } from './each-of.ts'
import { NotSeen, WrongConfiguration } from './finding.ts'
import { handMadeWords } from './hand-made-words.ts'
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
  /** Puts back what a case has changed of the client: URL, settings, its own token. */
  readonly putBack: () => Promise<void>
  /** Ends the run early. */
  readonly signal: AbortSignal | undefined
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
  /** What was planned for it. */
  readonly scenario: string
  readonly answer: Promise<Answer>
  /** The order, once the application has been answered or has given up, whatever came of it. */
  readonly order: () => Promise<StagedOrder>
  /** The order that the service has by now; that may be long before the start call is answered, or never. */
  readonly made: () => Promise<Order | null>
}

const neededFor = {
  start: 'a call that makes your application create an order',
  probe: 'a call that says what your application holds an order for',
  webhookUrl: 'where your application takes webhooks',
} as const

/** A line of what happened, and whose it is if it is about one order only. */
interface Note extends TimelineEntry {
  readonly about: string | null
}

const lookEveryMs = 20
const startsAtMost = 3

/** Where a case is played: what it may do to the application and what it sees of it. Everything goes through public
 *  surfaces: the emulator's library, the application's webhook URL, and the calls that its configuration names. */
export class Stage {
  readonly id: CaseId
  readonly app: Application
  readonly client: TestClient
  readonly draw: Setting['draw']
  readonly orders: StagedOrder[] = []
  /** Webhooks that were sent by hand, as they were when they had been answered. */
  readonly byHand: Delivery[] = []
  readonly #notes: Note[] = []
  readonly #setting: Setting
  readonly #unseen = new Set<string>()
  readonly #faults = new Set<string>()
  readonly #remarks = new Set<string>()
  readonly #scripts: string[] = []
  readonly #began = { at: 0, wallAt: wallNow(), watch: stopwatch() }
  readonly #undoing: (() => Promise<unknown>)[] = []
  #lastBefore: string | null = null
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
    const [last] = await setting.client.requests.list({ order: 'newest', limit: 1 })
    stage.#lastBefore = last?.id ?? null
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

  /** Adds a line to what happened. @param about the requestId of the only order that it is about */
  note(what: string, about: string | null = null): void {
    const wallMs = Math.round(stopwatch() - this.#began.watch)
    this.#notes.push({ atMs: this.#now - this.#began.at, wallMs, who: 'conform', what, about })
  }

  /** The lines that are about an order, or about none in particular. */
  notesAbout(requestId: string | null): TimelineEntry[] {
    return this.#notes
      .filter(({ about }) => about === null || about === requestId)
      .map(({ about: _, ...entry }) => entry)
  }

  unique(): string {
    return this.#setting.unique()
  }

  /** Whether somebody has ended the run. */
  get aborted(): boolean {
    return this.#setting.signal?.aborted ?? false
  }

  /** Has the application create an order, or has one made where it cannot be asked to. If another order, of the
   *  application's own, takes what was planned for it, it begins another.
   *  @throws NotSeen if it has made none */
  async order(options: OrderOptions = {}): Promise<StagedOrder> {
    for (let attempt = 1; ; attempt++) {
      const { order, answer, scenario } = await this.begin(options)
      await answer
      const begun = await order()
      if (begun.orderId === null) throw new NotSeen(`the application made no order: ${begun.told}`)
      if ((await begun.read()).scenario.id === scenario) return begun
      if (attempt === startsAtMost)
        throw new NotSeen('orders of its own came in between: each time another order took what was planned')
    }
  }

  /** Calls the application and waits for nothing: for orders whose create call is not answered well. */
  async begin({ follows = happy, kind = 'checkout', text }: OrderOptions = {}): Promise<Beginning> {
    this.#setting.signal?.throwIfAborted()
    const scenario = typeof follows === 'string' ? follows : await this.#put(follows)
    const start = kind === 'checkout' ? this.app.start : this.app.startSubscription
    if (start === null) return this.#withoutApplication(scenario, kind)
    await this.client.scenarios.clearPlanned()
    await this.client.scenarios.next(scenario)
    const unique = this.unique()
    const [last] = await this.client.requests.list({ order: 'newest', limit: 1 })
    this.note(`asks the application to create a ${kind} order`)
    const answer = start({ unique, text: text ?? `A mug ${unique}` }).then((told) => {
      if (told.error !== null || told.status !== null)
        this.note(`the application answers that: ${answerWords(told)}`, told.requestId)
      return told
    })
    const order = async () => this.#begun(await answer, { unique, after: last?.id ?? null })
    return { answer, order, scenario, made: () => this.#made(scenario) }
  }

  /** Has the application create so many orders that follow the same, several at a time. Those that it fails to create
   *  are not among them.
   *  @throws NotSeen if it cannot be asked to */
  async many(count: number, follows: ScenarioId | Script = happy): Promise<StagedOrder[]> {
    this.#setting.signal?.throwIfAborted()
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
    this.#setting.signal?.throwIfAborted()
    this.note(`moves the clock on by ${by}`)
    const ledger = await this.client.clock.advance(by)
    this.#now = ledger.now
    await this.app.time?.(ledger.now)
    return ledger
  }

  /** Waits until what is due now has ended, webhooks answered; time does not move. */
  async settle(): Promise<void> {
    await this.client.clock.settle()
  }

  /** Sends a delivery once more, and waits until it has been answered. */
  async resend({ id, orderStatus }: Delivery): Promise<void> {
    // It may still be on its way, to an application that takes its time.
    await this.settle()
    this.note(`sends the webhook of ${orderStatus} again`)
    await this.client.deliveries.resend(id)
    await this.settle()
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
    this.note('has the application look up its open orders')
    try {
      await reconcile()
      return { error: null }
    } catch (error) {
      if (!(error instanceof WrongConfiguration)) throw error
      this.note(`which does not go well: ${error.problem.message}`)
      return { error: error.problem.message }
    }
  }

  /** Sends a webhook by hand; answers once it has been answered.
   *  @param words what the time line says of it
   *  @throws NotSeen if the application takes none */
  async send(webhook: HandMadeDelivery, words = handMadeWords(webhook)): Promise<Delivery> {
    if (this.app.webhookUrl === null)
      throw new NotSeen('it needs `webhookUrl`: your application takes no webhooks')
    this.note(words, webhook.event?.requestId ?? null)
    const delivery = await this.client.deliveries.send(webhook)
    this.byHand.push(delivery)
    return delivery
  }

  /** Plans a fault; it is taken back at the end of the case. @returns its id */
  async plan(fault: FaultRequest): Promise<string> {
    const { id } = await this.client.faults.plan(fault)
    this.#faults.add(id)
    return id
  }

  /** Takes a fault back before the end of the case. */
  async unplan(id: string): Promise<void> {
    this.#faults.delete(id)
    await this.client.faults.remove(id)
  }

  /** Lets the application wait for its lookups of an order, so that what happens meanwhile finds it in the middle of its
   *  work. @param delay how long each is held, and @param lasting until when, both on the client's clock */
  async slowLookups({ requestId }: StagedOrder, delay: string, lasting: string): Promise<void> {
    await this.plan({
      on: ['orders', 'crypto-orders'],
      where: { requestId },
      effect: { delay },
      for: lasting,
    })
  }

  /** What the application has asked of the service since the case began, the oldest first. */
  async calls(where: { readonly requestId?: string } = {}): Promise<JournalEntry[]> {
    return this.#callsSince(this.#lastBefore, where)
  }

  /** Waits on the wall. */
  async pause(ms: number): Promise<void> {
    await this.until(async () => false, ms)
  }

  /** Something to undo at the end of the case, whatever becomes of it. */
  atEnd(undo: () => Promise<unknown>): void {
    this.#undoing.push(undo)
  }

  /** Asks again and again until it is so, for so long at most. @returns whether it came to be */
  async until(holds: () => Promise<boolean>, withinMs = this.app.patienceMs): Promise<boolean> {
    const watch = stopwatch()
    for (let waitMs = lookEveryMs; ; waitMs = Math.min(waitMs * 1.5, 200)) {
      this.#setting.signal?.throwIfAborted()
      if (await holds()) return true
      const leftMs = withinMs - (stopwatch() - watch)
      if (leftMs < 0) return false
      await pause(Math.min(waitMs, leftMs + 1))
    }
  }

  /** Puts back what the case has changed, and ends its orders, so that nobody goes on asking for them. All of it is
   *  tried, whatever goes wrong. */
  async close(): Promise<void> {
    const { client } = this
    const steps = [
      ...this.#undoing.toReversed(),
      ...[...this.#faults].map((id) => () => client.faults.remove(id)),
      () => client.scenarios.clearPlanned(),
      () => client.deliveries.release(),
      () => this.#setting.putBack(),
      ...this.orders.map((order) => () => order.end()),
      async () => this.orders.length > 0 && client.clock.settle(),
      ...this.#scripts.map((id) => () => client.scenarios.remove(id)),
    ]
    const failures: unknown[] = []
    for (const step of steps) await step().catch((error: unknown) => failures.push(error))
    if (failures.length > 0) throw failures[0]
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
    const requestId = `conform-${this.unique()}`
    await this.client.orders.make({ scenario, kind, requestId, email: 'conform@example.com' })
    this.note(`makes the order ${requestId} at the service, since there is no \`start\``)
    const answer = { ...noAnswer, requestId }
    const order = () => this.#begun(answer, { unique: requestId, after: null }, false)
    return { answer: Promise.resolve(answer), order, scenario, made: () => this.#made(scenario) }
  }

  async #made(scenario: string): Promise<Order | null> {
    const [found] = await this.client.orders.list({ 'scenario.id': scenario, order: 'newest', limit: 1 })
    return found ?? null
  }

  async #begun(answer: Answer, start: Started, ofApplication = true): Promise<StagedOrder> {
    return this.#named(answer, answer.requestId ?? (await this.#askedFor(start)), ofApplication)
  }

  async #named(answer: Answer, requestId: string | null, ofApplication = true): Promise<StagedOrder> {
    const [found] = requestId === null ? [] : await this.client.orders.list({ requestId, limit: 1 })
    const order = new StagedOrder(this, { answer, requestId, orderId: found?.orderId ?? null, ofApplication })
    this.orders.push(order)
    return order
  }

  /** The requestId of the create call that the application has made since: of those that have what was new in the start
   *  call, if any has, the one that has made an order, else the first. */
  async #askedFor({ unique, after }: Started): Promise<string | null> {
    const creates = await this.#callsSince(after, { operation: 'create-*' })
    const named = creates.filter(({ requestId }) => requestId !== null)
    const own = named.filter(({ body }) => body.includes(unique))
    const likely = own.length > 0 ? own : named
    const found = likely.find(({ status }) => status === 200) ?? likely[0]
    return found?.requestId ?? null
  }

  /** By their ids, which grow: the emulator's wall clock may be another than ours. */
  async #callsSince(id: string | null, where: CallsWhere): Promise<JournalEntry[]> {
    const entries = await this.client.requests.list(where)
    return entries.filter((entry) => entry.id > (id ?? ''))
  }

  /** The requestIds of the create calls that were answered well since the case began. */
  async #namesOfCreated(): Promise<string[]> {
    const creates = (await this.calls()).filter(
      ({ operation, status }) => operation?.startsWith('create-') && status === 200,
    )
    return creates.flatMap(({ requestId }) => requestId ?? [])
  }
}

const noAnswer = { call: 'nothing', status: null, body: '', error: null } as const

const answerWords = ({ status, body, error }: Answer): string => error ?? `${status} ${body.slice(0, 200)}`

/** What tells one start call from others. */
interface Started {
  readonly unique: string
  /** The last journal entry before it. */
  readonly after: string | null
}

interface CallsWhere {
  readonly requestId?: string
  readonly operation?: 'create-*'
}

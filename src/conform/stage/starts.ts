import type { JournalEntry, Order, ScenarioId } from '../../index.ts'
import type { Answer, Application } from '../application/application.ts'
import { saidYes } from '../application/application.ts'
import type { Given } from '../config/config.ts'
import { isKnownAlready, isRefusedAsExpired } from '../evidence/service-calls.ts'
import { Finding, NotSeen, WrongConfiguration } from '../finding.ts'
import { callsSince, lastCallOf } from './call-journal.ts'
import type { CaseContext } from './case-context.ts'
import { happy, type Script } from './scripts.ts'
import { StagedOrder } from './staged-order.ts'
import { eachOf } from './waiting.ts'

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
  /** The order, once the application has been answered or has given up, whatever came of it.
   *  @param lateMs for how long (wall) is waited where the application has said yes and creates the order in the
   *  background; not at all if left out */
  readonly order: (lateMs?: number) => Promise<StagedOrder>
  /** The order that the service has by now; that may be long before the start call is answered, or never. */
  readonly made: () => Promise<Order | null>
  /** Waits until the service has the order. @throws NotSeen, Finding or WrongConfiguration if it gets none */
  readonly mustBeMade: () => Promise<void>
}

type StartNow = NonNullable<Application['start']>

const startsAtMost = 3

/** How the orders of a case come to be: by the application's start call, or at the service where there is none. */
export class Starts {
  /** The scenarios that were made for the case, by their ids. */
  readonly scripts: string[] = []
  /** The orders so far. */
  readonly orders: StagedOrder[] = []
  #ordersAsked = false
  #ordersMade = false
  readonly #case: CaseContext
  readonly #signal: AbortSignal | undefined

  constructor(context: CaseContext, signal: AbortSignal | undefined) {
    this.#case = context
    this.#signal = signal
  }

  /** How many orders the application has made when it was asked for some; null if it was asked for none. Subscriptions do
   *  not count. */
  get ordersMade(): 'some' | 'none' | null {
    return this.#ordersMade ? 'some' : this.#ordersAsked ? 'none' : null
  }

  /** Has the application create an order, or has one made where it cannot be asked to. If another order, of the
   *  application's own, takes what was planned for it, it begins another.
   *  @throws NotSeen if it has made none; Finding or WrongConfiguration if it names an order from before */
  async order(options: OrderOptions = {}): Promise<StagedOrder> {
    for (let attempt = 1; ; attempt++) {
      const { order, answer, scenario } = await this.begin(options)
      await answer
      const begun = await order(this.#case.app.patienceMs)
      if (begun.orderId === null) throw madeNone(begun)
      if ((await begun.read()).scenario.id === scenario) return begun
      if (attempt === startsAtMost) throw new NotSeen(othersCameBetween)
    }
  }

  /** Calls the application and waits for nothing: for orders whose create call is not answered well. */
  async begin({ follows = happy, kind = 'checkout', text }: OrderOptions = {}): Promise<Beginning> {
    this.#signal?.throwIfAborted()
    const scenario = typeof follows === 'string' ? follows : await this.#put(follows)
    const start = kind === 'checkout' ? this.#case.app.start : this.#case.app.startSubscription
    if (start === null) return this.#withoutApplication(scenario, kind)
    await this.#case.client.scenarios.clearPlanned()
    await this.#case.client.scenarios.next(scenario)
    const unique = this.#case.unique()
    const after = await lastCallOf(this.#case.client)
    this.#case.note(`asks the application to create a ${kind} order`, { begins: true })
    if (kind === 'checkout') this.#ordersAsked = true
    const answer = start({ unique, text: text ?? `A mug ${unique}` }).then((told) => {
      if (told.error !== null || told.status !== null)
        this.#case.note(`the start call is answered: ${answerWords(told)}`, { about: told.requestId })
      return told
    })
    // Cases that end early do not wait for it.
    answer.catch(() => undefined)
    const order = async (lateMs?: number) =>
      this.#begun(await answer, { kind, scenario, unique, after, lateMs })
    const mustBeMade = async () => {
      if (await this.#case.until(async () => (await this.#following(scenario)) !== null)) return
      const begun = await order()
      throw begun.orderId === null ? madeNone(begun) : new NotSeen(othersCameBetween)
    }
    return { answer, order, scenario, made: () => this.#following(scenario), mustBeMade }
  }

  /** Has the application create so many orders that follow the same, several at a time. Those that it fails to create
   *  are not among them.
   *  @throws NotSeen if it cannot be asked to; Finding or WrongConfiguration if it names an order from before */
  async many(count: number, follows: ScenarioId | Script = happy): Promise<StagedOrder[]> {
    this.#signal?.throwIfAborted()
    const { start } = this.#case.app
    if (start === null)
      throw new NotSeen('it needs `start`: a call that makes your application create an order')
    const scenario = typeof follows === 'string' ? follows : await this.#put(follows)
    await this.#case.client.scenarios.clearPlanned()
    await this.#case.client.scenarios.next(scenario, { count })
    this.#ordersAsked = true
    this.#case.note(`asks the application to create ${count} orders`, { begins: true })
    const given = Array.from({ length: count }, () => ({ unique: this.#case.unique(), text: 'A mug' }))
    const { probesById, namesOrders } = this.#case.app
    // Where only its own name leads to an order, it must be clear which create call belongs to which start call.
    const oneByOne = probesById && !namesOrders
    const orders = oneByOne
      ? await eachOf(given, (each) => this.#oneOfMany(start, each, scenario), 1)
      : await this.#severalAtOnce(start, given, scenario)
    return orders.filter(({ orderId }) => orderId !== null)
  }

  async #oneOfMany(start: StartNow, given: Given, scenario: string): Promise<StagedOrder> {
    this.#signal?.throwIfAborted()
    const after = await lastCallOf(this.#case.client)
    const lateMs = this.#case.app.patienceMs
    const started = { kind: 'checkout', scenario, unique: given.unique, after, lateMs } as const
    return this.#begun(await start(given), started)
  }

  /** Those whose answer names no requestId are known by their create calls. */
  async #severalAtOnce(start: StartNow, given: readonly Given[], scenario: string): Promise<StagedOrder[]> {
    const after = await lastCallOf(this.#case.client)
    const started = { kind: 'checkout', scenario, unique: '', after } as const
    const answers = await eachOf(given, start)
    if (answers.every(saidYes))
      await this.#case.until(async () => (await this.#namesOfCreated(after)).length >= given.length)
    if (answers.every(({ requestId }) => requestId !== null)) {
      const again = answers.find(
        ({ requestId }, n) => answers.findIndex((each) => each.requestId === requestId) < n,
      )
      if (again !== undefined) await this.#refuseRepeated(again, again.requestId ?? '', started)
      return eachOf(answers, (answer) => this.#named(answer, answer.requestId, started))
    }
    const created = new Set([
      ...(await this.#namesOfCreated(after)),
      // The order may be one from before, or its first answer was lost.
      ...(await this.#namesOfCreated(after, isKnownAlready)),
    ])
    const told = new Map(answers.map((answer) => [answer.requestId, answer]))
    return eachOf([...created], (requestId) =>
      this.#named(told.get(requestId) ?? { ...noAnswer, requestId }, requestId, started),
    )
  }

  async #put(script: Script): Promise<string> {
    const id = `conform-${this.#case.id.toLowerCase()}-${this.#case.unique()}`
    await this.#case.client.scenarios.put(id, {
      id,
      description: `A case of conform: ${this.#case.id}`,
      ...script,
    })
    this.scripts.push(id)
    return id
  }

  async #withoutApplication(scenario: string, kind: 'checkout' | 'subscription'): Promise<Beginning> {
    if (kind === 'subscription')
      throw new NotSeen(
        'it needs `startSubscription`: a call that makes your application create a subscription',
      )
    const requestId = `conform-${this.#case.unique()}`
    await this.#case.client.orders.make({ scenario, kind, requestId, email: 'conform@example.com' })
    this.#case.note(`creates the order ${requestId} in the emulator, since there is no \`start\``)
    const answer = { ...noAnswer, requestId }
    const order = () => this.#named(answer, requestId, null)
    return {
      ...{ answer: Promise.resolve(answer), order, scenario },
      made: () => this.#following(scenario),
      mustBeMade: async () => undefined,
    }
  }

  async #following(scenario: string): Promise<Order | null> {
    const [found] = await this.#case.client.orders.list({
      'scenario.id': scenario,
      order: 'newest',
      limit: 1,
    })
    return found ?? null
  }

  async #begun(answer: Answer, start: Started): Promise<StagedOrder> {
    if (start.lateMs !== undefined && saidYes(answer)) {
      const { app, learned } = this.#case
      // What is known to name orders from before may do so again, and then no create call follows.
      const lateMs = learned.repeatedIn === null ? start.lateMs : Math.min(start.lateMs, app.settleMs)
      await this.#case.until(() => this.#hasAsked(answer, start), lateMs)
    }
    return this.#named(answer, answer.requestId ?? (await this.#askedFor(start)), start)
  }

  /** @param start null where the order was made at the service */
  async #named(answer: Answer, requestId: string | null, start: Started | null): Promise<StagedOrder> {
    const [found] = requestId === null ? [] : await this.#case.client.orders.list({ requestId, limit: 1 })
    if (start !== null && found !== undefined) {
      if (found.scenario.id !== start.scenario && !(await this.#isNew(found, start)))
        await this.#refuseRepeated(answer, found.requestId, start)
      this.#ordersMade ||= found.kind === 'checkout'
    }
    const order = new StagedOrder(this.#case, {
      answer,
      requestId,
      orderId: found?.orderId ?? null,
      ofApplication: start !== null,
    })
    this.orders.push(order)
    return order
  }

  /** Whether an order was made since a start call, though another took what was planned for it. */
  async #isNew({ requestId }: Order, { after }: Started): Promise<boolean> {
    return (await this.#namesOfCreated(after)).includes(requestId)
  }

  /** @throws Finding if the application has tried to create it once more; WrongConfiguration if it has not; NotSeen if
   *    another case has told that already */
  async #refuseRepeated(answer: Answer, requestId: string, { kind, after }: Started): Promise<never> {
    const { learned, id, client } = this.#case
    // One that does this has not stopped.
    this.#ordersMade = true
    if (learned.repeatedIn !== null && learned.repeatedIn !== id)
      throw new NotSeen(`the start call named an earlier order again: see ${learned.repeatedIn}`)
    // What it does wrong while the configuration is tried is for the cases to find.
    if (id !== 'K00') learned.repeatedIn = id
    const creates = await callsSince(client, after, { operation: 'create-*' })
    if (creates.some((call) => call.requestId === requestId && isKnownAlready(call)))
      throw new Finding({
        defect: 'repeated-id',
        did: `It used the requestId ${requestId} again: its create call was rejected with 7001, since an order with that requestId already exists.`,
        should: `Use a new requestId for each order. ${eachTimeAnother}`,
        requestId,
        deliveryId: null,
      })
    const member = kind === 'checkout' ? 'start' : 'startSubscription'
    const made = creates.find((call) => call.status === 200)?.requestId
    const came = `${answer.call} returned the requestId ${requestId} of an earlier order`
    throw made === undefined || made === null || made === requestId
      ? new WrongConfiguration(
          member,
          `${came}, and no create call followed; a start call has to create a new order each time. ${eachTimeAnother}`,
        )
      : new WrongConfiguration(
          `${member}.requestId`,
          `${came}, but your application created the order ${made}; remove this field, and conform takes the requestId from the create call`,
        )
  }

  /** Whether the create call that belongs to a start call has come; one may do that in the background. */
  async #hasAsked({ requestId }: Answer, { unique, after }: Started): Promise<boolean> {
    const creates = await callsSince(this.#case.client, after, { operation: 'create-*' })
    return creates.some(
      (call) =>
        requestId === null ||
        call.requestId === requestId ||
        call.body.includes(unique) ||
        // Refused before it was read, so nothing in it tells whose it is.
        isRefusedAsExpired(call),
    )
  }

  /** The requestId of the create call that the application has made since: of those that have what was new in the start
   *  call, if any has, the one that has made an order, else the first. */
  async #askedFor({ unique, after }: Started): Promise<string | null> {
    const creates = await callsSince(this.#case.client, after, { operation: 'create-*' })
    const named = creates.filter(({ requestId }) => requestId !== null)
    const own = named.filter(({ body }) => body.includes(unique))
    const likely = own.length > 0 ? own : named
    const found = likely.find(({ status }) => status === 200) ?? likely[0]
    return found?.requestId ?? null
  }

  /** RequestIds of create calls since `after` that match `answered`. */
  async #namesOfCreated(
    after: string | null,
    answered = ({ status }: JournalEntry) => status === 200,
  ): Promise<string[]> {
    const creates = await callsSince(this.#case.client, after, { operation: 'create-*' })
    return creates.filter(answered).flatMap(({ requestId }) => requestId ?? [])
  }
}

const eachTimeAnother =
  'If the call always buys the same cart, or for the same customer, put `{unique}` into that value.'

const othersCameBetween =
  'the application created other orders in between, and each time one of them took the planned scenario'

const madeNone = ({ told }: StagedOrder): NotSeen => new NotSeen(`the application created no order: ${told}`)

const noAnswer = { call: 'nothing', status: null, body: '', error: null } as const

const answerWords = ({ status, body, error }: Answer): string => error ?? `${status} ${body.slice(0, 200)}`

/** What tells one start call from others. */
interface Started {
  readonly kind: 'checkout' | 'subscription'
  /** What was planned for it. */
  readonly scenario: string
  readonly unique: string
  /** The last journal entry before it. */
  readonly after: string | null
  /** For how long its create call is waited for. */
  readonly lateMs?: number | undefined
}

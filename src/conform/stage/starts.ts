import type { JournalEntry, Order, ScenarioId } from '../../index.ts'
import type { Answer, Application } from '../application/application.ts'
import { succeeded } from '../application/application.ts'
import type { Given } from '../config/config.ts'
import { isKnownAlready, isRefusedAsExpired } from '../evidence/service-calls.ts'
import { Finding, NotSeen, WrongConfiguration } from '../finding.ts'
import { callsSince, lastCallOf } from './call-journal.ts'
import type { CaseContext } from './case-context.ts'
import { happy, type Script } from './scripts.ts'
import { StagedOrder } from './staged-order.ts'
import { eachOf } from './waiting.ts'

/** How a case wants an order to be created. */
export interface OrderOptions {
  /** The scenario of the order: a built-in one, or a script of the case. Default: paid at once and COMPLETED. */
  readonly follows?: ScenarioId | Script | undefined
  readonly kind?: 'checkout' | 'subscription' | undefined
  /** Values of the start call that matter for the case; the others are new ones. */
  readonly given?: Partial<Given> | undefined
  /** Whether the application may name an earlier order, because the same cart was submitted before. */
  readonly mayRepeat?: boolean | undefined
}

/** A start call in progress. */
export interface Beginning {
  /** The scenario that was planned for the order. */
  readonly scenario: string
  readonly answer: Promise<Answer>
  /** The order, once the start call has been answered or has failed.
   *  @param lateMs how long to wait (wall-clock time) for an application that answers success and creates the order
   *    in the background; default: not at all */
  readonly order: (lateMs?: number) => Promise<StagedOrder>
  /** The order at the service so far, which may exist long before the start call is answered. */
  readonly made: () => Promise<Order | null>
  /** Waits until the service has the order.
   *  @throws NotSeen, Finding or WrongConfiguration if there is none */
  readonly mustBeMade: () => Promise<void>
}

type StartNow = NonNullable<Application['start']>

const startsAtMost = 3
const usualAmount = '10.00'

/** Creates the orders of a case: by the application's start call, or at the service without one. */
export class Starts {
  /** Ids of the scenarios that were added for the case. */
  readonly scripts: string[] = []
  readonly orders: StagedOrder[] = []
  #ordersAsked = false
  #ordersMade = false
  readonly #case: CaseContext
  readonly #signal: AbortSignal | undefined

  constructor(context: CaseContext, signal: AbortSignal | undefined) {
    this.#case = context
    this.#signal = signal
  }

  /** Whether the application has created the orders that it was asked for; null if it was asked for none.
   *  Subscriptions do not count. */
  get ordersMade(): 'some' | 'none' | null {
    return this.#ordersMade ? 'some' : this.#ordersAsked ? 'none' : null
  }

  /** Creates an order with the application, or at the service if there is no start call. Repeats the start if
   *  another order of the application takes the planned scenario.
   *  @throws NotSeen if the application has created none; Finding or WrongConfiguration if it names an earlier order */
  async order(options: OrderOptions = {}): Promise<StagedOrder> {
    for (let attempt = 1; ; attempt++) {
      const { scenario, begun } = await this.#case.starting(async () => {
        const { order, answer, scenario } = await this.begin(options)
        await answer
        return { scenario, begun: await order(this.#case.app.patienceMs) }
      })
      if (begun.orderId === null) throw madeNone(begun)
      if ((await begun.read()).scenario.id === scenario) return begun
      if (attempt === startsAtMost) throw new NotSeen(othersCameBetween)
    }
  }

  /** Makes the start call without waiting: for create calls that fail or are slow. */
  async begin({
    follows = happy,
    kind = 'checkout',
    given = {},
    mayRepeat,
  }: OrderOptions = {}): Promise<Beginning> {
    this.#signal?.throwIfAborted()
    const scenario = typeof follows === 'string' ? follows : await this.#put(follows)
    const start = kind === 'checkout' ? this.#case.app.start : this.#case.app.startSubscription
    if (start === null) return this.#withoutApplication(scenario, kind)
    await this.#case.client.scenarios.clearPlanned()
    await this.#case.client.scenarios.next(scenario)
    const wanted = this.#given(given)
    const { unique } = wanted
    const after = await lastCallOf(this.#case.client)
    this.#case.note(`asks the application to create a ${kind} order`, { begins: true })
    if (kind === 'checkout') this.#ordersAsked = true
    const answer = start(wanted).then((answered) => {
      if (answered.error !== null || answered.status !== null)
        this.#case.note(`the start call is answered: ${answerWords(answered)}`, { about: answered.requestId })
      return answered
    })
    // Prevents an unhandled rejection in cases that end early and do not await the answer.
    answer.catch(() => undefined)
    const order = async (lateMs?: number) =>
      this.#begun(await answer, { kind, scenario, unique, after, lateMs, mayRepeat })
    const mustBeMade = async () => {
      if (await this.#case.until(async () => (await this.#following(scenario)) !== null)) return
      const begun = await order()
      throw begun.orderId === null ? madeNone(begun) : new NotSeen(othersCameBetween)
    }
    return { answer, order, scenario, made: () => this.#following(scenario), mustBeMade }
  }

  /** Creates several orders with the same scenario, some in parallel. Orders that fail to be created are left out.
   *  @throws NotSeen without a start call; Finding or WrongConfiguration if the application names an earlier order */
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
    const given = Array.from({ length: count }, () => this.#given({ text: 'A mug' }))
    const { probesById, namesOrders } = this.#case.app
    // If only the application's own id leads to an order, each create call must belong to a known start call.
    const oneByOne = probesById && !namesOrders
    const orders = oneByOne
      ? await eachOf(given, (each) => this.#oneOfMany(start, each, scenario), 1)
      : await this.#severalAtOnce(start, given, scenario)
    return orders.filter(({ orderId }) => orderId !== null)
  }

  /** The values of a start call. */
  #given(wanted: Partial<Given>): Given {
    const unique = wanted.unique ?? this.#case.unique()
    return { unique, text: `A mug ${unique}`, amount: usualAmount, cart: `cart-${unique}`, ...wanted }
  }

  async #oneOfMany(start: StartNow, given: Given, scenario: string): Promise<StagedOrder> {
    this.#signal?.throwIfAborted()
    const after = await lastCallOf(this.#case.client)
    const lateMs = this.#case.app.patienceMs
    const started = { kind: 'checkout', scenario, unique: given.unique, after, lateMs } as const
    return this.#begun(await start(given), started)
  }

  /** Orders without a requestId in the answer are found by their create calls. */
  async #severalAtOnce(start: StartNow, given: readonly Given[], scenario: string): Promise<StagedOrder[]> {
    const after = await lastCallOf(this.#case.client)
    const started = { kind: 'checkout', scenario, unique: '', after } as const
    const answers = await eachOf(given, start)
    if (answers.every(succeeded))
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
      // The order may be an earlier one, or its first answer was lost.
      ...(await this.#namesOfCreated(after, isKnownAlready)),
    ])
    const answered = new Map(answers.map((answer) => [answer.requestId, answer]))
    return eachOf([...created], (requestId) =>
      this.#named(answered.get(requestId) ?? { ...noAnswer, requestId }, requestId, started),
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
    if (start.lateMs !== undefined && succeeded(answer)) {
      const { app, learned } = this.#case
      // An application that has named an earlier order may do so again, and then no create call follows.
      const lateMs = learned.repeatedIn === null ? start.lateMs : Math.min(start.lateMs, app.settleMs)
      await this.#case.until(() => this.#hasAsked(answer, start), lateMs)
    }
    // A create call that is still held is in no request log.
    const made = async () => (await this.#following(start.scenario))?.requestId ?? null
    const requestId = answer.requestId ?? (await this.#askedFor(start)) ?? (await made())
    return this.#named(answer, requestId, start)
  }

  /** The order of a start call, with the given requestId.
   *  @param start null if the order was created at the service */
  async #named(answer: Answer, requestId: string | null, start: Started | null): Promise<StagedOrder> {
    const [found] = requestId === null ? [] : await this.#case.client.orders.list({ requestId, limit: 1 })
    if (start !== null && found !== undefined) {
      if (found.scenario.id !== start.scenario && !start.mayRepeat && !(await this.#isNew(found, start)))
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

  /** Whether an order was created since a start call, even if another order took the planned scenario. */
  async #isNew({ requestId }: Order, { after }: Started): Promise<boolean> {
    return (await this.#namesOfCreated(after)).includes(requestId)
  }

  /** Reports a start call that named an earlier order.
   *  @throws Finding if the application has tried to create that order again; WrongConfiguration if not; NotSeen if
   *    another case has already reported it */
  async #refuseRepeated(answer: Answer, requestId: string, { kind, after }: Started): Promise<never> {
    const { learned, id, client } = this.#case
    // An application that names an earlier order still works.
    this.#ordersMade = true
    if (learned.repeatedIn !== null && learned.repeatedIn !== id)
      throw new NotSeen(`the start call named an earlier order again: see ${learned.repeatedIn}`)
    // During the check of the configuration, errors of the application are left to the cases.
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

  /** Whether the create call of a start call has arrived; it may be made in the background. */
  async #hasAsked({ requestId }: Answer, { unique, after }: Started): Promise<boolean> {
    const creates = await callsSince(this.#case.client, after, { operation: 'create-*' })
    return creates.some(
      (call) =>
        requestId === null ||
        call.requestId === requestId ||
        call.body.includes(unique) ||
        // Refused before its body was read, so it cannot be assigned to an order.
        isRefusedAsExpired(call),
    )
  }

  /** The requestId that the application has used since a start call. Create calls with the unique value of the start
   *  call are preferred, and of these the one that has created an order. */
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

const madeNone = ({ answerText }: StagedOrder): NotSeen =>
  new NotSeen(`the application created no order: ${answerText}`)

const noAnswer = { call: 'nothing', status: null, body: '', error: null } as const

const answerWords = ({ status, body, error }: Answer): string => error ?? `${status} ${body.slice(0, 200)}`

/** The data that identifies a start call. */
interface Started {
  readonly kind: 'checkout' | 'subscription'
  readonly scenario: string
  readonly unique: string
  /** The id of the last request log entry before the start call. */
  readonly after: string | null
  /** How long to wait for the create call, wall-clock milliseconds. */
  readonly lateMs?: number | undefined
  /** Whether the application may name an earlier order. */
  readonly mayRepeat?: boolean | undefined
}

import { ControlCallRefused, type Order, type TestClient } from '../../index.ts'
import { type Answer, type Seen, succeeded } from '../application/application.ts'
import { at, jsonIn } from '../application/json-pointer.ts'
import type { Pulse } from '../application/pulse.ts'
import type { Given } from '../config/config.ts'
import { isCreate } from '../evidence/service-calls.ts'
import { WrongConfiguration } from '../finding.ts'
import { lastCallOf } from '../stage/call-journal.ts'
import type { Setting } from '../stage/case-context.ts'
import { eachOf, until } from '../stage/waiting.ts'
import { ApplicationStopped } from './application-stopped.ts'
import { callsAfter } from './calls-after.ts'
import { gather } from './gather.ts'
import { moved, restarted } from './moves.ts'
import { ordersAtOnce, PlayedOrder } from './played-order.ts'
import { aboutReleases, type Evidence, type Violation, violationIn } from './promises.ts'
import { Rounds } from './rounds.ts'
import { scriptOf } from './script.ts'
import { type Batch, type Story, skeletonOf, storyText } from './story.ts'
import { Watch } from './watch.ts'

/** A story that was played. */
export interface Played {
  readonly story: Story
  /** The first promise that it broke; null if it has kept all. */
  readonly violation: Violation | null
  /** The order of the story; null if the application has created none. */
  readonly requestId: string | null
  /** What happened in each step; empty unless it was watched. */
  readonly seen: readonly string[]
}

/** How stories are played. */
export interface PlayOptions {
  /** Leaves it to the next `late` to see what the application does later. */
  readonly brief?: boolean
  /** Waits only shortly for what is not done: for stories that are known to break a promise. */
  readonly hasty?: boolean
  /** Says what happened in each step, which takes longer. */
  readonly watched?: boolean
}

/** How often an application that creates no order is asked in all. */
const createTimes = 3
/** How many calls about orders of earlier stories do no harm. */
const mostOthers = 500
/** So that no time comes near 2038, where those of many databases end. */
const mostMonths = 100
/** More than an application creates while some stories are played beside each other. */
const mostSecondOrders = 10_000
const unpaid: Story = [['create']]
const submitsAgain = (batch: Batch): boolean => batch.flat(2).includes('submit the cart again')
const amounts = ['10.00', '19.99', '4.35'] as const

/** What one order shows of an application before the search. */
export interface Sample {
  /** The order as the application shows it; null if its probe shows nothing. */
  readonly seen: Seen | null
  /** Whether a browser can return: its create call has a `callbackUrl`. */
  readonly canReturn: boolean
  /** Whether the application still knows the order after a restart; null if it was not restarted. */
  readonly outlastsRestart: boolean | null
}

/** Plays stories of one skeleton beside each other, each with an order of its own. */
export class Player {
  readonly #setting: Setting
  readonly #pulse: Pulse
  /** The ids of the scenarios by the skeletons that they play. */
  readonly #scenarios = new Map<string, string>()
  /** The orders of the stories that were played last, and what was seen of them: an application may act later. */
  #last: ReadonlyMap<PlayedOrder, Evidence> = new Map()
  readonly #late: Played[] = []
  /** How often the clock was moved by a month. */
  #months = 0

  constructor(setting: Setting, pulse: Pulse) {
    this.#setting = setting
    this.#pulse = pulse
  }

  get #client(): TestClient {
    return this.#setting.client
  }

  /** Plays stories, and judges each.
   *  @throws EmulatorUnreachable; ApplicationStopped; WrongConfiguration; the abort reason */
  async play(
    batch: Batch,
    { brief = false, hasty = false, watched = false }: PlayOptions = {},
  ): Promise<Played[]> {
    const { signal } = this.#setting
    signal?.throwIfAborted()
    const since = await lastCallOf(this.#client)
    const orders = await this.#created(batch, since)
    try {
      const watch = watched ? new Watch(this.#client, orders) : null
      const pulse = this.#pulse
      await new Rounds(this.#setting, { orders, batch, hasty, pulse }).play(watch)
      const byOrder = await gather(this.#setting, { orders, since, brief, hasty, pulse })
      const evidence = [...byOrder.values()]
      await this.#goOn(evidence)
      const played = batch.map((story) => judged(story, evidence, watch))
      await this.#lookAgain()
      await this.#leaveOldOrders(evidence)
      this.#last = brief ? byOrder : new Map()
      return played
    } finally {
      await eachOf(orders, (order) => order.end(), ordersAtOnce)
      await this.#endSecondOrders(batch)
      await this.#client.clock.settle()
    }
  }

  /** An application may create another order for a cart that is submitted again. Nobody pays it: what is paid is what
   *  the story says. */
  async #beginSecondOrders(batch: Batch): Promise<void> {
    if (!submitsAgain(batch)) return
    await this.#client.scenarios.next(await this.#scenarioOf(unpaid), { count: mostSecondOrders })
  }

  async #endSecondOrders(batch: Batch): Promise<void> {
    if (!submitsAgain(batch)) return
    await this.#client.scenarios.clearPlanned()
    const scenario = await this.#scenarioOf(unpaid)
    const left = await this.#client.orders.list({ 'scenario.id': scenario, orderStatus: 'CREATED' })
    const fail = ({ orderId }: Order) => this.#client.orders.pay({ orderId }, 'failed').catch(ignoreConflict)
    await eachOf(left, fail, ordersAtOnce)
  }

  /** Returns the stories that have broken a promise only after they were judged. */
  late(): Played[] {
    return this.#late.splice(0)
  }

  /** Moves the clock by a month if the application mostly asks for orders of earlier stories: it asks for paid ones as
   *  long as they may be refunded, and thousands of them would slow every story down. */
  async #leaveOldOrders(evidence: readonly Evidence[]): Promise<void> {
    const names = new Set(evidence.map(({ requestId }) => requestId))
    const [first] = evidence
    const others = first?.calls.filter(({ requestId }) => requestId !== null && !names.has(requestId)) ?? []
    if (others.length < mostOthers || this.#months === mostMonths) return
    this.#months += 1
    await moved(this.#setting, '31d', this.#pulse)
  }

  /** Looks once more at the orders of the stories that were played before these. */
  async #lookAgain(): Promise<void> {
    const looks = await eachOf(
      [...this.#last],
      async ([order, evidence]) => {
        if (violationIn(evidence) !== null) return []
        const seen = (await order.probe()) ?? evidence.seen
        const violation = violationIn({ ...evidence, seen }, aboutReleases)
        const { story, requestId } = order
        return violation === null ? [] : [{ story, violation, requestId, seen: [] }]
      },
      ordersAtOnce,
    )
    this.#late.push(...looks.flat())
  }

  /** The sequence of an order as an SVG picture; null if the emulator has it no more. */
  async sequence(requestId: string): Promise<string | null> {
    try {
      return await this.#client.orders.sequence(requestId, 'svg')
    } catch (error) {
      if (error instanceof ControlCallRefused && error.status === 404) return null
      throw error
    }
  }

  /** Plays an order that is not paid, to see what the application shows of it.
   *  @throws ApplicationStopped if it creates none */
  async sample(): Promise<Sample> {
    const { process } = this.#setting
    const [order] = await this.#created([[['create']]], await lastCallOf(this.#client))
    if (order === undefined) throw new ApplicationStopped('your application created no order')
    const seen = await order.probe()
    let outlastsRestart: boolean | null = null
    if (process !== null) {
      await restarted(this.#setting)
      const after = await order.probe()
      outlastsRestart = after !== null && after.state === seen?.state
    }
    await order.end()
    await this.#client.clock.settle()
    return { seen, canReturn: order.canReturn, outlastsRestart }
  }

  /** Starts an application again that has died, if this run has started it.
   *  @throws ApplicationStopped if it cannot */
  async #goOn(evidence: readonly Evidence[]): Promise<void> {
    const isGone = evidence.some(({ answers }) => !answers)
    if (!isGone && evidence.every(({ unanswered }) => unanswered.length === 0)) return
    const { process } = this.#setting
    if (process === null && !isGone) return
    if (process === null) throw new ApplicationStopped('your application accepts no connections any more')
    await restarted(this.#setting)
  }

  /** Undoes what stories have left at the client, even if one was cut short. */
  async close(): Promise<void> {
    await this.#client.faults.clear()
    await this.#client.scenarios.clearPlanned()
    await this.#client.deliveries.release()
    for (const id of this.#scenarios.values()) await this.#client.scenarios.remove(id)
    this.#scenarios.clear()
  }

  /** Makes the application create an order for each story. One that creates none may be waiting, because it was asked
   *  to; then it is asked again.
   *  @throws ApplicationStopped */
  async #created(batch: Batch, since: string | null): Promise<PlayedOrder[]> {
    const { app, signal } = this.#setting
    for (let time = 1; ; time++) {
      const { orders, answer } = await this.#begin(batch, since)
      if (orders.length > 0 || !batch[0]?.[0]?.includes('create')) return orders
      if (time === createTimes)
        throw new ApplicationStopped(`your application creates no more orders: ${startWords(answer)}`, true)
      await until(async () => false, Math.max(app.patienceMs, 1_000), signal)
    }
  }

  async #begin(
    batch: Batch,
    since: string | null,
  ): Promise<{ orders: PlayedOrder[]; answer: Answer | undefined }> {
    const { app, unique, signal } = this.#setting
    const { start } = app
    if (start === null) throw new WrongConfiguration('start', 'it is needed')
    const scenario = await this.#scenarioOf(batch[0] ?? [['create']])
    await this.#client.scenarios.clearPlanned()
    await this.#client.scenarios.next(scenario, { count: batch.length })
    // Last, so that no other call of the application gets a new token before.
    if (batch[0]?.[0]?.includes('create, token expired')) await this.#client.expireTokens()
    const started = await eachOf(
      [...batch.entries()],
      async ([index, story]) => {
        const name = unique()
        const amount = amounts[index % amounts.length] ?? '10.00'
        const given: Given = { unique: name, text: `A mug ${name}`, amount, cart: `cart-${name}` }
        return { story, given, answer: await start(given) }
      },
      ordersAtOnce,
    )
    const made = () => this.#made(started, scenario, since)
    let orders = await made()
    // An application may create its orders in the background, and again after a failure.
    if (orders.length < started.filter(({ answer }) => succeeded(answer)).length)
      await until(
        async () => {
          orders = await made()
          return orders.length === batch.length
        },
        app.patienceMs,
        signal,
      )
    await this.#client.scenarios.clearPlanned()
    await this.#beginSecondOrders(batch)
    await this.#client.clock.settle()
    return { orders, answer: started[0]?.answer }
  }

  async #made(
    started: readonly { readonly story: Story; readonly given: Given; readonly answer: Answer }[],
    scenario: string,
    since: string | null,
  ): Promise<PlayedOrder[]> {
    const found = await this.#client.orders.list({
      'scenario.id': scenario,
      order: 'newest',
      limit: started.length,
    })
    const byName = new Map(found.map((order) => [order.requestId, order]))
    const creates = (await callsAfter(this.#client, since)).calls.filter(isCreate)
    return started.flatMap(({ story, given, answer }) => {
      const create =
        creates.findLast((call) => call.body.includes(given.unique)) ??
        creates.findLast(({ requestId }) => requestId !== null && requestId === answer.requestId)
      const order = byName.get(answer.requestId ?? create?.requestId ?? '')
      if (order === undefined) return []
      const callbackUrl = at(jsonIn(create?.body ?? ''), '/callbackUrl')
      return [new PlayedOrder(this.#setting, { story, given, answer, order, callbackUrl })]
    })
  }

  async #scenarioOf(story: Story): Promise<string> {
    const skeleton = skeletonOf(story)
    const name = storyText(skeleton)
    const known = this.#scenarios.get(name)
    if (known !== undefined) return known
    const id = `conform-k00-${this.#setting.unique()}`
    await this.#client.scenarios.put(id, { id, description: 'A story of explore', ...scriptOf(skeleton) })
    this.#scenarios.set(name, id)
    return id
  }
}

/** The order may have ended meanwhile. */
function ignoreConflict(error: unknown): void {
  if (!(error instanceof ControlCallRefused) || error.status !== 409) throw error
}

function startWords(answer: Answer | undefined): string {
  if (answer === undefined) return 'it was not asked for one'
  const { status, body, error } = answer
  if (error !== null) return error
  return status === null
    ? 'its start function named none'
    : `its start call answered ${status} ${body.slice(0, 200)}`
}

function judged(story: Story, evidence: readonly Evidence[], watch: Watch | null): Played {
  const own = evidence.find((each) => each.story === story)
  if (own === undefined) return { story, violation: null, requestId: null, seen: [] }
  const { requestId } = own
  return { story, violation: violationIn(own), requestId, seen: watch?.of(requestId) ?? [] }
}

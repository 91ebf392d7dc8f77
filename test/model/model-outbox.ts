import { type Answering, answers, type EndpointAnswer } from './answers.ts'
import type { ModelDelivery } from './model-delivery.ts'
import { apartMs, faultStatus, type WantedFault } from './model-faults.ts'
import { defaultSettings } from './model-settings.ts'

/** Which webhooks are held: all, or those whose members are like this. A member that ends in `*` fits whatever
 *  begins like it. */
export type Hold = Readonly<Partial<Record<'requestId' | 'orderStatus', string>>>

/** An attempt as in the ledger. */
interface LedgerAttempt {
  readonly at: number
  readonly requestId: string
  /** Place of the event among those of its order. */
  readonly place: number
  readonly words: string
}

/** How often an event has reached its endpoint. */
export type Arrived = (event: string) => number

/** The effect of a planned fault on an attempt, asked once when it is sent. */
export type Meets = (delivery: ModelDelivery, now: number) => WantedFault['effect'] | null

/** The webhooks of one client, and their results. */
export class ModelOutbox {
  url: string | null
  /** The endpoint has answered 410. */
  paused = false
  answering: Answering = 'with 200'
  settings = defaultSettings
  holds: Hold[] = []
  /** Since the present walk began. */
  attempts: LedgerAttempt[] = []
  #deliveries: ModelDelivery[] = []
  readonly #arrived: Arrived
  readonly #meets: Meets
  #sent = 0

  constructor(url: string | null, arrived: Arrived, meets: Meets) {
    this.url = url
    this.#arrived = arrived
    this.#meets = meets
  }

  /** How many are under way. */
  get inFlight(): number {
    return this.#deliveries.filter(({ inFlight }) => inFlight !== null).length
  }

  add(delivery: ModelDelivery): void {
    this.#deliveries.push(delivery)
  }

  reset(): void {
    this.#deliveries = []
    this.holds = []
    this.paused = false
  }

  /** When something is to be done next; null if nothing is. */
  nextDueAt(): number | null {
    const first = this.paused ? Infinity : Math.min(...this.#claimable().map(({ dueAt }) => dueAt))
    return first === Infinity ? null : first
  }

  /** The webhooks to send now. */
  sending(now: number): ModelDelivery[] {
    if (this.paused) return []
    this.#keepBack(now)
    return this.url === null ? [] : this.#due(now)
  }

  /** Does what is due now; more may be due after it.
   *  @returns false if nothing was */
  work(now: number): boolean {
    const landing = this.#deliveries.filter(({ inFlight }) => inFlight !== null)
    for (const delivery of landing) this.#attempt(delivery, now, delivery.inFlight)
    const sending = this.sending(now)
    const sent = this.answering === 'with 410' ? this.#sentBeforePause(sending) : sending
    for (const delivery of sent) this.#attempt(delivery, now, this.url)
    const skipped = this.url === null && !this.paused ? this.#due(now) : []
    for (const delivery of skipped) Object.assign(delivery, { status: 'skipped', hadItsTurn: true })
    return landing.length + sent.length + skipped.length > 0
  }

  /** These have been sent and are not answered before the next work. */
  takeOff(sent: readonly ModelDelivery[], now: number): void {
    for (const delivery of sent) {
      delivery.firstSent ??= this.#sent++
      delivery.inFlight = this.url
      delivery.failsAnyway = this.#failsAnyway(delivery, now)
    }
  }

  /** The emulator ends while something is in flight. */
  crash(now: number): void {
    for (const delivery of this.#deliveries) {
      const { inFlight: url, attempts } = delivery
      if (url !== null) attempts.push({ at: now, url, outcome: 'unknown', status: null })
      Object.assign(delivery, { inFlight: null, failsAnyway: null })
    }
  }

  /** @returns how many are held at once */
  hold(hold: Hold, now: number): number {
    this.holds = [...this.holds.filter((each) => !same(each, hold)), hold]
    return this.#keepBack(now)
  }

  /** Ends a hold, or all of them. What fits goes, whichever hold kept it back.
   *  @returns how many are let go */
  release(hold: Hold | undefined, now: number): number {
    this.holds = this.holds.filter((each) => hold !== undefined && !same(each, hold))
    const released = this.#deliveries.filter((each) => each.status === 'held' && fits(hold ?? {}, each))
    for (const delivery of released) {
      letGo(delivery, now)
      delivery.hadItsTurn = delivery.attempts.length > 0
    }
    return released.length
  }

  /** @returns false if there is nowhere to send it to */
  resend(delivery: ModelDelivery, now: number): boolean {
    if (this.url === null || this.paused || delivery.inFlight !== null) return false
    letGo(delivery, now)
    return true
  }

  #due(now: number): ModelDelivery[] {
    return this.#claimable().filter(({ dueAt }) => dueAt <= now)
  }

  /** The first attempts of an order come one after the other. */
  #claimable(): ModelDelivery[] {
    const waiting = new Set<string>()
    return this.#deliveries.filter(({ order, status, hadItsTurn, inFlight }) => {
      const behind = waiting.has(order)
      if (!hadItsTurn) waiting.add(order)
      return status === 'pending' && !behind && inFlight === null
    })
  }

  /** Holds what is due and fits. Later events of its order do not wait for it, and may fit too. */
  #keepBack(now: number): number {
    const fitting = this.#due(now).filter(
      (each) => !each.released && this.holds.some((hold) => fits(hold, each)),
    )
    for (const delivery of fitting) Object.assign(delivery, { status: 'held', hadItsTurn: true })
    return fitting.length === 0 ? 0 : fitting.length + this.#keepBack(now)
  }

  /** The first 410 stops everything; how many due webhooks were sent before it is unspecified. */
  #sentBeforePause(due: readonly ModelDelivery[]): ModelDelivery[] {
    const sent = due.filter(({ event, attempts }) => this.#arrived(event) > attempts.length)
    if (sent.length === 0 && due.length > 0)
      throw new Error(`none was sent of ${due.map(({ event }) => event)}`)
    return sent
  }

  /** Lets an attempt that is sent meet the planned faults.
   *  @returns whether it fails, whatever it is answered */
  #failsAnyway(delivery: ModelDelivery, now: number): boolean {
    const met = this.#meets(delivery, now)
    if (met === 'doubles') delivery.copiesLeft = 1
    return met === 'fails'
  }

  #attempt(delivery: ModelDelivery, now: number, url: string | null): void {
    const { attempts, requestId, orderStatus } = delivery
    const answer: EndpointAnswer = answers[this.answering](attempts.length)
    const { retryAfterSeconds = 0 } = answer
    // A connection that broke has no answer that could count as another.
    const fails = (delivery.failsAnyway ?? this.#failsAnyway(delivery, now)) && answer.status !== null
    const status = fails ? faultStatus : answer.status
    delivery.failsAnyway = null
    const accepted = status !== null && status < 300
    const outcome = accepted ? 'accepted' : status === null ? 'connection' : 'refused'
    attempts.push({ at: now, url, outcome, status })
    delivery.inFlight = null
    delivery.firstSent ??= this.#sent++
    delivery.hadItsTurn = true
    delivery.released = false
    const n = attempts.length
    const { retryMax, retryBaseMs, retryCapMs } = this.settings
    const wait = Math.min(retryCapMs, Math.max(retryBaseMs * 2 ** (n - 1), retryAfterSeconds * 1_000))
    if (status === 410 && url === this.url) this.paused = true
    if (accepted && delivery.copiesLeft)
      Object.assign(delivery, { copiesLeft: delivery.copiesLeft - 1, dueAt: now + apartMs })
    else if (accepted) delivery.status = 'delivered'
    else if (n > retryMax) delivery.status = 'dead'
    else delivery.dueAt = now + wait
    const siblings = this.#deliveries.filter((each) => each.requestId === requestId)
    const words = `${requestId} ${orderStatus} ${n} ${outcome} ${status}`
    this.attempts.push({ at: now, requestId, place: siblings.indexOf(delivery), words })
  }
}

/** One attempt, which no hold keeps back. */
function letGo(delivery: ModelDelivery, now: number): void {
  Object.assign(delivery, { status: 'pending', dueAt: now, released: true })
}

function fits(hold: Hold, delivery: ModelDelivery): boolean {
  const like = (wanted: string | undefined, value: string) =>
    wanted === undefined ||
    value === wanted ||
    (wanted.endsWith('*') && value.startsWith(wanted.slice(0, -1)))
  return like(hold.requestId, delivery.requestId) && like(hold.orderStatus, delivery.orderStatus)
}

const same = (a: Hold, b: Hold) => a.requestId === b.requestId && a.orderStatus === b.orderStatus

import { type Answering, answers } from './answers.ts'
import {
  dropRest,
  type Happening,
  happen,
  type ModelDelivery,
  type ModelOrder,
  type ModelTransition,
  modelOrder,
  nextThing,
  type OnExpiry,
} from './model-order.ts'
import type { ScriptId } from './scripts.ts'

const attemptsAtMost = 11
const longestWaitMs = 600_000

/** How often an event has reached its endpoint. */
export type Arrived = (event: string) => number

/** An attempt as the ledger tells it. */
export interface ModelLedgerAttempt {
  readonly at: number
  readonly requestId: string
  /** Place of the event among those of its order. */
  readonly place: number
  readonly words: string
}

/** One client's world: its clock, its endpoint, its orders. Knows nothing of any other. */
export class ModelClient {
  readonly clientId: string
  now: number
  url: string | null
  /** Its endpoint has answered 410. */
  paused = false
  answering: Answering = 'with 200'
  onExpiry: OnExpiry = 'keep'
  readonly orders: ModelOrder[] = []
  /** Since the present walk began. */
  transitions: ModelTransition[] = []
  attempts: ModelLedgerAttempt[] = []
  readonly #arrived: Arrived

  constructor(clientId: string, { now, url }: { now: number; url: string | null }, arrived: Arrived) {
    this.clientId = clientId
    this.now = now
    this.url = url
    this.#arrived = arrived
  }

  create(requestId: string, script: ScriptId, waitsForPayer: boolean): void {
    const { now, onExpiry } = this
    const order = modelOrder({ requestId, script, now, onExpiry, waitsForPayer })
    this.orders.push(order)
    this.#tell(order)
  }

  /** The payer's act.
   *  @returns false if the order is final or paid */
  pay(order: ModelOrder, outcome: 'completed' | 'failed' | 'abandoned', errorCode: string): boolean {
    if (order.paid || ['COMPLETED', 'FAILED'].includes(order.orderStatus)) return false
    if (outcome !== 'completed') dropRest(order)
    if (outcome === 'abandoned') this.#happen(order, { note: 'abandoned' })
    if (outcome === 'failed') this.#happen(order, { payment: 'FAILED', order: 'FAILED', errorCode })
    if (outcome === 'completed') {
      const step = order.steps.find(({ does, doneAt }) => does === 'pay' && doneAt === null)
      const late = step === undefined ? 0 : this.now - step.dueAt
      for (const later of order.steps) if (step !== undefined && later.index > step.index) later.dueAt += late
      this.#pay(order, step)
    }
    return true
  }

  /** When something happens next by itself; null if nothing does. */
  nextDueAt(): number | null {
    const steps = this.orders.map((order) => nextThing(order)?.dueAt ?? Infinity)
    const first = Math.min(...steps, ...this.#claimable().map(({ dueAt }) => dueAt))
    return first === Infinity ? null : first
  }

  /** Goes from due moment to due moment up to `target`. */
  walk(target: number): void {
    this.transitions = []
    this.attempts = []
    for (let next = this.nextDueAt(); next !== null && next <= target; next = this.nextDueAt()) {
      this.now = next
      this.settle()
    }
    this.now = target
  }

  /** Does all that is due now. */
  settle(): void {
    for (;;) {
      this.stepOrders()
      const due = this.dueDeliveries()
      if (due.length === 0) return
      const sent = this.answering === 'with 410' && this.url !== null ? this.#sentBeforePause(due) : due
      for (const delivery of sent) this.#attempt(delivery)
    }
  }

  /** Carries out the steps that are due now. */
  stepOrders(): void {
    for (const order of this.orders) {
      for (let next = nextThing(order); next !== null && next.dueAt <= this.now; next = nextThing(order)) {
        const { step } = next
        if (step === null) this.#expire(order)
        else if (step.does === 'pay') this.#pay(order, step)
        else this.#end(order, step.does, { errorCode: step.errorCode, step })
      }
    }
  }

  /** Walks like `walk`, but stops where something is to be sent, before it is.
   *  @returns what is to be sent; nothing if the target is reached without */
  walkUntilSending(target: number): ModelDelivery[] {
    for (let next = this.nextDueAt(); next !== null && next <= target; next = this.nextDueAt()) {
      this.now = next
      const sending = this.sending()
      if (sending.length > 0) return sending
      this.settle()
    }
    this.now = target
    return []
  }

  /** Does what comes before sending, and tells what is to be sent. */
  sending(): ModelDelivery[] {
    this.stepOrders()
    return this.url === null ? [] : this.dueDeliveries()
  }

  /** What would be sent now. */
  dueDeliveries(): ModelDelivery[] {
    return this.#claimable().filter(({ dueAt }) => dueAt <= this.now)
  }

  /** A crash comes when these have been sent and not been answered. */
  loseAnswers(sent: readonly ModelDelivery[]): void {
    for (const { attempts } of sent) attempts.push({ at: this.now, outcome: 'unknown', status: null })
  }

  #claimable(): ModelDelivery[] {
    if (this.paused) return []
    return this.orders.flatMap(({ deliveries }) => {
      const waiting = deliveries.findIndex(({ hadItsTurn }) => !hadItsTurn)
      return deliveries.filter(
        ({ status, hadItsTurn }, place) => status === 'pending' && (hadItsTurn || place === waiting),
      )
    })
  }

  /** The first answer of 410 stops everything; how much of what was due is on its way by then, nobody promises. */
  #sentBeforePause(due: readonly ModelDelivery[]): ModelDelivery[] {
    const sent = due.filter(({ event, attempts }) => this.#arrived(event) > attempts.length)
    if (sent.length === 0) throw new Error(`of what was due nothing was sent: ${due.map((d) => d.event)}`)
    return sent
  }

  #attempt(delivery: ModelDelivery): void {
    delivery.hadItsTurn = true
    if (this.url === null) {
      delivery.status = 'skipped'
      return
    }
    const { attempts, requestId, orderStatus } = delivery
    const answer: { status: number | null; retryAfterSeconds?: number } = answers[this.answering](
      attempts.length,
    )
    const { status, retryAfterSeconds = 0 } = answer
    const accepted = status !== null && status < 300
    const outcome = accepted ? 'accepted' : status === null ? 'connection' : 'refused'
    attempts.push({ at: this.now, outcome, status })
    const n = attempts.length
    const order = this.orders.find((each) => each.requestId === requestId)
    const place = order?.deliveries.indexOf(delivery) ?? -1
    this.attempts.push({
      at: this.now,
      requestId,
      place,
      words: `${requestId} ${orderStatus} ${n} ${outcome} ${status}`,
    })
    if (status === 410) this.paused = true
    if (accepted) delivery.status = 'delivered'
    else if (n >= attemptsAtMost) delivery.status = 'dead'
    else
      delivery.dueAt = this.now + Math.min(longestWaitMs, Math.max(500 * 2 ** n, retryAfterSeconds * 1_000))
  }

  #pay(order: ModelOrder, step: Happening['step']): void {
    order.paid = true
    order.waitsForPayer = false
    this.#happen(order, { note: 'paid', payment: 'COMPLETED', step })
  }

  #end(order: ModelOrder, status: string, { errorCode, step }: Happening): void {
    const failed = order.paid ? order.paymentStatus : 'FAILED'
    const payment = status === 'FAILED' ? failed : 'COMPLETED'
    this.#happen(order, { order: status, payment, errorCode: errorCode ?? null, step })
  }

  #expire(order: ModelOrder): void {
    dropRest(order)
    const note = 'expired'
    if (order.onExpiry === 'abandon') this.#happen(order, { note, order: 'ABANDONED' })
    else this.#happen(order, { note, order: 'FAILED', payment: 'FAILED', errorCode: '9004' })
  }

  #happen(order: ModelOrder, what: Happening): void {
    this.transitions.push(...happen(order, this.now, what))
    if (what.order !== undefined) this.#tell(order)
  }

  /** Puts the event of the order's present status on its way. */
  #tell({ requestId, orderStatus, errorCode, deliveries }: ModelOrder): void {
    deliveries.push({
      event: `${this.clientId} ${requestId} ${orderStatus}`,
      requestId,
      orderStatus,
      errorCode,
      status: this.url === null ? 'skipped' : 'pending',
      dueAt: this.now,
      hadItsTurn: this.url === null,
      attempts: [],
    })
  }
}

import { happen, type ModelTransition, type RehearsedEvent } from './happening.ts'
import { type ModelDelivery, modelDelivery, type Told } from './model-delivery.ts'
import { type ModelOrder, type ModelRequest, type ModelStep, modelCharge, modelOrder } from './model-order.ts'
import { type Arrived, type Meets, ModelOutbox } from './model-outbox.ts'
import { defaultSettings, type ModelSettings } from './model-settings.ts'
import { authorise, planCharge } from './model-subscription.ts'
import { amountOf, centsOf, leftOf } from './money.ts'
import { isDone, pageState } from './page-state.ts'
import { dropRest, nextThing, scheduled } from './plan.ts'
import { endOfCharge } from './script.ts'

/** One client's world: its clock, its orders, its webhooks. Knows nothing of any other. */
export class ModelClient {
  readonly clientId: string
  now: number
  settings = defaultSettings
  readonly orders: ModelOrder[] = []
  /** Events of no order. */
  readonly simulations: ModelDelivery[] = []
  readonly outbox: ModelOutbox
  /** Since the present walk began. */
  transitions: ModelTransition[] = []

  constructor(
    clientId: string,
    { now, url }: { now: number; url: string | null },
    arrived: Arrived,
    meets: Meets,
  ) {
    this.clientId = clientId
    this.now = now
    this.outbox = new ModelOutbox(url, arrived, meets)
  }

  set(changes: Partial<ModelSettings>): void {
    this.settings = { ...this.settings, ...changes }
    this.outbox.settings = this.settings
  }

  has(requestId: string): boolean {
    return this.orders.some((order) => order.requestId === requestId)
  }

  create(request: ModelRequest): void {
    const order = modelOrder(request, this)
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
      const step = order.steps.find(({ does, doneAt }) => does.do === 'pay' && doneAt === null)
      order.lateMs += this.now - (step?.dueAt ?? this.now)
      this.#pay(order, step)
    }
    return true
  }

  /** The payer opens the payment page: an automatic payment then waits for the payer.
   *  @returns the state of the page */
  openPage(order: ModelOrder): string {
    const state = pageState(order, this.now)
    const comes = order.steps.some(
      ({ does, doneAt, when }) => does.do === 'pay' && doneAt === null && when !== 'payer',
    )
    if (state === 'open' && this.settings.autopay === 'unless-page' && comes && !order.waitsForPayer) {
      order.waitsForPayer = true
      this.#happen(order, { note: 'payment page opened' })
    }
    return state
  }

  /** The payer's act on the page.
   *  @returns whether the order is then where the act leads to */
  payOnPage(order: ModelOrder, outcome: 'completed' | 'failed' | 'abandoned', errorCode: string): boolean {
    if (pageState(order, this.now) === 'open') this.pay(order, outcome, errorCode)
    return isDone(pageState(order, this.now), outcome, order.errorCode === errorCode)
  }

  /** Gives something back.
   *  @param errorCode with which it fails; undefined if it does not
   *  @returns false if the order is not COMPLETED, or less is left of it */
  refund(order: ModelOrder, fiatAmount: string, errorCode: string | undefined): boolean {
    if (order.orderStatus !== 'COMPLETED' || centsOf(fiatAmount) > leftOf(order)) return false
    this.#happen(order, { refund: fiatAmount, refundFailure: errorCode })
    return true
  }

  /** Ends the charges of a subscription.
   *  @returns false if they have ended already */
  cancel(order: ModelOrder): boolean {
    if (order.subscription === null || order.subscription.cancelled) return false
    this.#cancel(order)
    return true
  }

  /** @returns false if there is nowhere to send it to */
  simulate(requestId: string, orderStatus: string): boolean {
    if (this.outbox.url === null) return false
    const told = { requestId, orderStatus, orderType: 'CHECKOUT', errorCode: null }
    const delivery = { ...this.#event(`${this.clientId} ${requestId}`, told), hadItsTurn: true }
    this.simulations.push(delivery)
    this.outbox.add(delivery)
    return true
  }

  /** Forgets all but the clock, the URL and the settings. */
  reset(): void {
    this.orders.length = 0
    this.simulations.length = 0
    this.outbox.reset()
  }

  /** When something happens next by itself; null if nothing does. */
  nextDueAt(): number | null {
    const steps = this.orders.map((order) => nextThing(order)?.dueAt ?? Infinity)
    const first = Math.min(...steps, this.outbox.nextDueAt() ?? Infinity)
    return first === Infinity ? null : first
  }

  /** Goes from due moment to due moment up to `target`. */
  walk(target: number): void {
    this.#beginLedger()
    this.walkOn(target)
  }

  walkOn(target: number): void {
    for (let next = this.nextDueAt(); next !== null && next <= target; next = this.nextDueAt()) {
      this.now = next
      this.settle()
    }
    this.now = target
  }

  /** Walks like `walk`, but stops where something is to be sent, before it is.
   *  @returns what is to be sent; nothing if the target is reached without */
  walkUntilSending(target: number): ModelDelivery[] {
    this.#beginLedger()
    for (let next = this.nextDueAt(); next !== null && next <= target; next = this.nextDueAt()) {
      this.now = next
      const sending = this.sending()
      if (sending.length > 0) return sending
      this.settle()
    }
    this.now = target
    return []
  }

  /** Carries out the steps before sending, and returns the webhooks to send now. */
  sending(): ModelDelivery[] {
    this.#step()
    return this.outbox.sending(this.now)
  }

  /** Does all that is due now. */
  settle(): void {
    this.#step()
    while (this.outbox.work(this.now));
  }

  #beginLedger(): void {
    this.transitions = []
    this.outbox.attempts = []
  }

  /** Carries out the steps that are due now. */
  #step(): void {
    // Charges join the list during the loop, and are handled too.
    for (const order of this.orders) {
      for (let next = nextThing(order); next !== null && next.dueAt <= this.now; next = nextThing(order)) {
        if (next.what === 'expiry') this.#expire(order)
        else if (next.what === 'charge') this.#charge(order)
        else this.#takeStep(order, next.what)
      }
    }
  }

  #takeStep(order: ModelOrder, step: ModelStep): void {
    const { does } = step
    if (does.do === 'pay') this.#pay(order, step)
    if (does.do === 'order') this.#end(order, does, step)
    if (does.do === 'refund') this.#refundPart(order, does.percent, step)
    if (does.do === 'refund error') this.#happen(order, { refundFailure: does.errorCode, step })
    if (does.do === 'cancel') this.#cancel(order, step)
  }

  #pay(order: ModelOrder, step?: ModelStep): void {
    order.paid = true
    order.waitsForPayer = false
    // A trial comes first: so far the payer has only agreed.
    if (order.trialMs > 0) this.#happen(order, { note: 'authorised', step })
    else this.#happen(order, { note: 'paid', payment: 'COMPLETED', step })
    if (order.subscription !== null)
      authorise(order.subscription, this.now + order.trialMs, order.script, this.#offsetOf(order))
    scheduled(order)
  }

  /** A refund that a scenario asks for; of more than is left, what is left. */
  #refundPart(order: ModelOrder, percent: number, step: ModelStep): void {
    const wanted = Math.floor((centsOf(order.fiatAmount) * percent) / 100)
    const left = leftOf(order)
    if (left === 0) this.#happen(order, { note: `nothing left to refund of ${amountOf(wanted)}`, step })
    else if (wanted > left) {
      const note = `refund of ${amountOf(wanted)} reduced to what is left, ${amountOf(left)}`
      this.#happen(order, { note, refund: amountOf(left), step })
    } else this.#happen(order, { refund: amountOf(wanted), step })
  }

  #cancel(order: ModelOrder, step?: ModelStep): void {
    const { subscription } = order
    if (subscription === null) return
    this.#happen(order, { note: 'cancelled', step })
    Object.assign(subscription, { cancelled: true, nextAt: null })
    // Before its first charge, that is the end of everything.
    if (subscription.anchor === null || this.now < subscription.anchor) dropRest(order)
  }

  /** The next charge of a subscription comes: the first on the record that is there, the others on their own. */
  #charge(order: ModelOrder): void {
    const { subscription, script } = order
    const n = subscription?.next ?? 0
    const end = endOfCharge(script, n)
    if (subscription === null || end === null) throw new Error(`${order.name} has no charge ${n}`)
    if (n === 1) this.#end(order, end)
    else {
      const charge = modelCharge(order, n, end, this)
      this.orders.push(charge)
      this.#happen(order, { note: `charge ${n}` })
      this.#tell(charge)
    }
    planCharge(subscription, n + 1, script, this.#offsetOf(order))
  }

  /** East of UTC, in minutes: the calendar by which an order's charges go. */
  #offsetOf({ script }: ModelOrder): number {
    return script.offsetMinutes ?? this.settings.offsetMinutes
  }

  #end(order: ModelOrder, end: { status: string; errorCode: string | null }, step?: ModelStep): void {
    const { status } = end
    const errorCode = status === 'FAILED' ? (end.errorCode ?? '9004') : null
    const paid = status === 'COMPLETED' || order.paymentStatus === 'COMPLETED'
    const payment = paid ? 'COMPLETED' : status === 'FAILED' ? 'FAILED' : order.paymentStatus
    this.#happen(order, { order: status, payment, errorCode, step })
  }

  #expire(order: ModelOrder): void {
    dropRest(order)
    const note = 'expired'
    if (order.onExpiry === 'abandon') this.#happen(order, { note, order: 'ABANDONED' })
    else this.#happen(order, { note, order: 'FAILED', payment: 'FAILED', errorCode: '9004' })
  }

  #happen(order: ModelOrder, what: RehearsedEvent): void {
    this.transitions.push(...happen(order, this.now, what))
    scheduled(order)
    if (what.order !== undefined) this.#tell(order)
  }

  /** Queues the event of the order's present status. */
  #tell({ name, kind, requestId, orderStatus, errorCode, deliveries }: ModelOrder): void {
    const { told } = this.settings
    if (told !== null && !told.includes(orderStatus)) return
    const delivery = this.#event(name, { requestId, orderStatus, orderType: orderTypes[kind], errorCode })
    deliveries.push(delivery)
    this.outbox.add(delivery)
  }

  #event(order: string, told: Told): ModelDelivery {
    return modelDelivery(order, told, { now: this.now, hasUrl: this.outbox.url !== null })
  }
}

/** The names of order kinds in records and webhooks (N61). */
export const orderTypes = {
  checkout: 'CHECKOUT',
  subscription: 'CHECKOUT',
  payout: 'PAYOUT',
  'crypto-payin': 'CRYPTOPAYIN',
} as const

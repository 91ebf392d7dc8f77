import { monthsLater } from './calendar.ts'
import {
  dropRest,
  type Happening,
  happen,
  type ModelDelivery,
  type ModelOrder,
  type ModelRequest,
  type ModelTransition,
  modelCharge,
  modelOrder,
  nextThing,
} from './model-order.ts'
import { type Arrived, ModelOutbox } from './model-outbox.ts'
import { defaultSettings, type ModelSettings } from './model-settings.ts'

const dayMs = 86_400_000

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

  constructor(clientId: string, { now, url }: { now: number; url: string | null }, arrived: Arrived) {
    this.clientId = clientId
    this.now = now
    this.outbox = new ModelOutbox(url, arrived)
  }

  set(changes: Partial<ModelSettings>): void {
    this.settings = { ...this.settings, ...changes }
    this.outbox.settings = this.settings
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
      const step = order.steps.find(({ does, doneAt }) => does === 'pay' && doneAt === null)
      const late = step === undefined ? 0 : this.now - step.dueAt
      for (const later of order.steps) if (step !== undefined && later.index > step.index) later.dueAt += late
      this.#pay(order, step)
    }
    return true
  }

  /** @returns false if there is nowhere to send it to */
  simulate(requestId: string, orderStatus: string): boolean {
    if (this.outbox.url === null) return false
    const delivery = {
      ...this.#event(`${this.clientId} ${requestId}`, { requestId, orderStatus, errorCode: null }),
      hadItsTurn: true,
    }
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

  /** Does what comes before sending, and tells what is to be sent now. */
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
    for (const order of this.orders) {
      for (let next = nextThing(order); next !== null && next.dueAt <= this.now; next = nextThing(order)) {
        const { what } = next
        if (what === 'expiry') this.#expire(order)
        else if (what === 'charge') this.#charge(order)
        else if (what.does === 'pay') this.#pay(order, what)
        else this.#end(order, what.does, { errorCode: what.errorCode, step: what })
      }
    }
  }

  #pay(order: ModelOrder, step: Happening['step']): void {
    order.paid = true
    order.waitsForPayer = false
    if (order.subscription !== null) {
      order.subscription.anchor = this.now + order.trialDays * dayMs
      this.#planCharge(order)
    }
    // A trial comes first: so far the payer has only agreed.
    if (order.trialDays > 0) this.#happen(order, { note: 'authorised', step })
    else this.#happen(order, { note: 'paid', payment: 'COMPLETED', step })
  }

  /** The next charge of a subscription comes, on a record of its own. */
  #charge(order: ModelOrder): void {
    const { subscription } = order
    if (subscription === null) return
    const charge = modelCharge(order, subscription.next, this, subscription.rule)
    this.orders.push(charge)
    this.#happen(order, { note: `charge ${subscription.next}` })
    this.#tell(charge)
    subscription.next += 1
    this.#planCharge(order)
  }

  /** Dates are counted from the first charge, so that a short month shortens no later one. */
  #planCharge({ subscription }: ModelOrder): void {
    if (subscription === null || subscription.anchor === null) return
    subscription.nextAt = monthsLater(subscription.anchor, subscription.next - 1, 0)
  }

  #end(order: ModelOrder, status: string, { errorCode, step }: Happening): void {
    const unpaid = status === 'FAILED' && order.paymentStatus !== 'COMPLETED'
    const payment = unpaid ? 'FAILED' : 'COMPLETED'
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
  #tell({ name, requestId, orderStatus, errorCode, deliveries }: ModelOrder): void {
    const { told } = this.settings
    if (told !== null && !told.includes(orderStatus)) return
    const delivery = this.#event(name, { requestId, orderStatus, errorCode })
    deliveries.push(delivery)
    this.outbox.add(delivery)
  }

  #event(order: string, told: Pick<ModelDelivery, 'requestId' | 'orderStatus' | 'errorCode'>): ModelDelivery {
    const skipped = this.outbox.url === null
    return {
      order,
      event: `${order} ${told.orderStatus}`,
      ...told,
      status: skipped ? 'skipped' : 'pending',
      dueAt: this.now,
      hadItsTurn: skipped,
      inFlight: null,
      released: false,
      firstSent: null,
      attempts: [],
    }
  }
}

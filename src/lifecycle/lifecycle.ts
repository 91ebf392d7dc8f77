import type { Settings } from '../domain/choices/settings.ts'
import type { Generation } from '../domain/client/client.ts'
import type { Decision, DecisionContext } from '../domain/order/decision.ts'
import type { LookupName, Order } from '../domain/order/order.ts'
import { catchUp, openPage, payOnPage } from '../domain/order/payer-page.ts'
import { refund } from '../domain/order/refund.ts'
import { cancel, carryOut, lookUp, park, pay } from '../domain/order/steps.ts'
import type { Scenario } from '../domain/scenario/scenario.ts'
import { EmulatorError } from '../domain/text/errors.ts'
import type { EpochMs } from '../domain/text/time.ts'
import type { Store } from '../store/store.ts'
import type { DueQueue } from '../time/pump.ts'
import type { Scheduler } from '../time/scheduler.ts'
import { ApiFaults } from './api-faults.ts'
import type { Clients } from './clients.ts'
import { Committer } from './commit.ts'
import { OrderCreation } from './order-creation.ts'
import type { PlannedFaults } from './planned-faults.ts'
import { redrawing } from './redrawing.ts'
import { type ScenarioCatalog, ScenarioVersions } from './scenarios/catalog.ts'
import type { SweepBehaviours } from './sweep-behaviours.ts'
import { hasEnded } from './world-loader.ts'

/** The number of steps that are read and committed together. */
const stepBatch = 500

/** Decides what becomes of an order; null for no change. */
type Verb = (order: Order, context: DecisionContext) => Decision | null

/** Changes orders, after their creation: read, decide, commit, emit. */
export class Lifecycle implements DueQueue {
  readonly #store: Store
  readonly #clients: Clients
  readonly #scheduler: Scheduler
  readonly #committer: Committer
  readonly creation: OrderCreation
  readonly versions: ScenarioVersions
  readonly faults: ApiFaults
  readonly behaviours: SweepBehaviours

  constructor(options: {
    store: Store
    clients: Clients
    catalog: ScenarioCatalog
    plans: PlannedFaults
    scheduler: Scheduler
    seed: () => string
    behaviours: SweepBehaviours
    onCommitted: (decision: Decision) => void
    onError: (error: unknown) => void
  }) {
    this.#store = options.store
    this.#clients = options.clients
    this.#scheduler = options.scheduler
    this.#committer = new Committer(options)
    this.versions = new ScenarioVersions(options.store)
    this.faults = new ApiFaults({ ...options, versions: this.versions })
    this.behaviours = options.behaviours
    const { versions, faults } = this
    this.creation = new OrderCreation({ ...options, committer: this.#committer, versions, faults })
  }

  /** Pays, declines or cancels as the payer, on behalf of a test.
   *  @throws order_unknown, order_is_final, order_is_paid */
  pay(orderId: string, act: Parameters<typeof pay>[1]): Promise<Order> {
    return this.#change(orderId, (order, context) => pay(order, act, context))
  }

  /** Opens the order's payment page.
   *  @throws order_unknown, scenario_outdated */
  openPage(orderId: string): Promise<Order> {
    return this.#onPage(orderId, async () => openPage)
  }

  /** Applies the payer's choice on the payment page. Does nothing if the page offers no choice any more.
   *  @throws order_unknown, scenario_outdated */
  payOnPage(orderId: string, act: Parameters<typeof pay>[1]): Promise<Order> {
    return this.#onPage(orderId, async () => {
      // Read after the order, the history may be newer than the order, which is then too stale to commit, but never
      // older.
      const history = (await this.#store.pastsOf([orderId])).get(orderId)?.history ?? []
      return (order, context) => payOnPage(order, history, act, context)
    })
  }

  /** Starts a refund.
   *  @throws order_unknown, not_completed, refund_too_high */
  refund(orderId: string, act: Parameters<typeof refund>[1]): Promise<Order> {
    return this.#change(orderId, (order, context) => refund(order, act, context))
  }

  /** Cancels the charges of a subscription.
   *  @throws order_unknown, not_a_subscription, subscription_is_cancelled */
  cancel(orderId: string): Promise<Order> {
    return this.#change(orderId, cancel)
  }

  /** Counts a lookup of orders. A scenario that waits for a lookup continues, and the answer shows its effect.
   *  @returns the orders after the lookup */
  lookUp(orders: readonly Order[], name: LookupName): Promise<Order[]> {
    return Promise.all(
      orders.map(async (order) =>
        order.lookups === null
          ? order
          : this.#change(order.orderId, (now, context) => lookUp(now, name, context)),
      ),
    )
  }

  /** Carries out the due steps of an order one by one, then the verb. */
  async #onPage(orderId: string, prepare: () => Promise<Verb>): Promise<Order> {
    for (;;) {
      let isUpToDate = false
      const changed = await this.#changePrepared(orderId, async () => {
        const verb = await prepare()
        return (order, context) => {
          const due = catchUp(order, context)
          isUpToDate = due === null
          return due ?? verb(order, context)
        }
      })
      if (isUpToDate) return changed
    }
  }

  /** Reads, decides and commits, and retries if the order has changed.
   *  @throws order_unknown */
  #change(orderId: string, verb: Verb): Promise<Order> {
    return this.#changePrepared(orderId, async () => verb)
  }

  /** @param prepare reads further data for the rule, after the order has been read */
  #changePrepared(orderId: string, prepare: () => Promise<Verb>): Promise<Order> {
    return this.#clients.worlds.decide(async () => {
      for (;;) {
        const order = await this.#store.findOrder(orderId)
        if (order === null) throw new EmulatorError('order_unknown', { orderId })
        const generation = this.#clients.generationOf(order.clientId)
        const verb = await prepare()
        const scenario = await this.versions.of(order)
        const changed = await this.#decided(order, { scenario, generation }, verb)
        if (changed !== 'stale') return changed
      }
    })
  }

  /** Returns when a client's next step is due; see `DueQueue`. */
  nextDue(clientId: string, after?: EpochMs): Promise<EpochMs | null> {
    return this.#store.nextOrderDue(clientId, after)
  }

  /** Carries out the due steps of a client's orders, orders in parallel. A failed order is tried again and does not
   *  stop the others. */
  async start(clientId: string, until: EpochMs, generation: Generation): Promise<number> {
    const orders = await this.#store.dueOrders(clientId, until, stepBatch)
    const ends = await Promise.allSettled(orders.map((order) => this.#steps(order, { until, generation })))
    const failures = ends.flatMap((end) => (end.status === 'rejected' ? [end.reason] : []))
    // `world_ended` is no failure: the client's new generation looks for its own due steps.
    const failure = failures.find((reason) => !hasEnded(reason))
    if (failure !== undefined) throw failure
    return orders.length - failures.length
  }

  /** Lists orders with unfinished steps; see `DueQueue`. */
  unfinished(clientId: string, until: EpochMs, among?: readonly string[]): Promise<string[]> {
    return this.#store.ordersDue(clientId, until, among)
  }

  /** Steps are done when `start` resolves. But a caller with its answer may advance the clock at once, and then its
   *  webhook belongs to the work that was due before. */
  busy(clientId: string): Promise<void> | null {
    return this.creation.releasing(clientId)
  }

  /** Carries out the steps of an order one by one, up to `until`. Webhooks of a time are sent after all steps of
   *  that time. An order that has changed since it was read is skipped: it is due again, or no longer. */
  async #steps(due: Order, { until, generation }: { until: EpochMs; generation: Generation }): Promise<void> {
    const scenario = await this.versions.readable(due)
    if (scenario === null) {
      await this.#committer.commitSilently(park(due, this.#scheduler.now(due.clientId)), generation)
      return
    }
    for (let order: Order | 'stale' = due; order !== 'stale' && (order.nextDueAt ?? Infinity) <= until; )
      order = await this.#decided(order, { scenario, generation }, (before, context) => {
        const decision = carryOut(before, context)
        if (decision !== null) return decision
        throw new Error(`order ${before.orderId} is due at ${before.nextDueAt}, but has no step`)
      })
  }

  /** Decides and commits. A decision that changes the client is made again in the client's turn, on its latest
   *  state. */
  async #decided(
    order: Order,
    { scenario, generation }: { scenario: Scenario; generation: Generation },
    verb: Verb,
  ): Promise<Order | 'stale'> {
    const decideWith = async (inTurn: boolean, draw: number): Promise<Order | 'stale' | 'in turn'> => {
      const context = this.#committer.context(order.clientId, scenario, draw)
      const decision = verb(order, context)
      if (decision === null) return order
      if (decision.client !== undefined && !inTurn) return 'in turn'
      return (await this.#committer.commit(decision, context.settings, generation)) ? decision.order : 'stale'
    }
    const decide = (inTurn: boolean) => redrawing((draw) => decideWith(inTurn, draw))
    const first = await decide(false)
    if (first !== 'in turn') return first
    const second = await this.#clients.turns.take(() => decide(true))
    return second === 'in turn' ? 'stale' : second
  }

  /** The settings of an order; without those of its scenario if the scenario is unreadable. */
  async settingsOf(order: Order): Promise<Settings> {
    const scenario = await this.versions.readable(order)
    return this.#clients.settingsOf(order.clientId, scenario?.settings)
  }
}

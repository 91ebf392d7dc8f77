import type { Settings } from '../domain/choices/settings.ts'
import type { Client, Generation } from '../domain/client/client.ts'
import { create, type NewOrder } from '../domain/order/create.ts'
import type { Decision, DecisionContext } from '../domain/order/decision.ts'
import type { LookupName, Order } from '../domain/order/order.ts'
import { catchUp, openPage, payOnPage } from '../domain/order/payer-page.ts'
import { refund } from '../domain/order/refund.ts'
import { cancel, carryOut, lookUp, park, pay } from '../domain/order/steps.ts'
import type { Scenario } from '../domain/scenario/scenario.ts'
import { EmulatorError } from '../domain/text/errors.ts'
import type { EpochMs } from '../domain/text/time.ts'
import type { Store } from '../store/store.ts'
import type { Scheduler } from '../time/scheduler.ts'
import { persist } from '../time/timers.ts'
import type { DueQueue } from '../time/world.ts'
import { ApiFaults, type CreatingCall } from './api-faults.ts'
import type { Clients } from './clients.ts'
import { Committer } from './commit.ts'
import type { PlannedFaults } from './planned-faults.ts'
import type { ScenarioCatalog } from './scenarios/catalog.ts'
import { ScenarioVersions } from './scenarios/catalog.ts'
import {
  type ChosenScenario,
  type CreateCall,
  callOf,
  ScenarioChooser,
  type ScenarioHints,
} from './scenarios/chooser.ts'
import type { SweepBehaviours } from './sweep-behaviours.ts'
import { hasEnded } from './world-loader.ts'

interface Around {
  readonly store: Store
  readonly scheduler: Scheduler
  readonly onError: (error: unknown) => void
}

/** Makes the first webhook of an order due once the answer of its create call has left. */
class AnswerReleases {
  readonly #context: Around
  readonly #byClient = new Map<string, Set<Promise<unknown>>>()
  #stopped = false

  constructor(context: Around) {
    this.#context = context
  }

  /** Releases the first webhook: the answer of the create call has left, or its connection broke. */
  async release(order: Order, generation: Generation): Promise<void> {
    const { store, scheduler, onError } = this.#context
    const { clientId } = order
    const isOver = () => scheduler.generation(clientId) !== generation
    const release = async () => {
      if (!isOver()) await store.releaseAnswer(order, scheduler.now(clientId), generation).catch(unlessEnded)
    }
    // Without a retry, no webhook of the order would ever leave.
    const released = persist(release, { onError, unwanted: () => isOver() || this.#stopped })
    const releases = this.#byClient.get(clientId) ?? new Set()
    releases.add(released)
    this.#byClient.set(clientId, releases)
    await released
    releases.delete(released)
    if (releases.size === 0) this.#byClient.delete(clientId)
    scheduler.wake(clientId)
  }

  /** Resolves when the running releases of a client are done; null if there are none. */
  underWay(clientId: string): Promise<void> | null {
    const releases = this.#byClient.get(clientId)
    return releases === undefined ? null : Promise.all(releases).then(() => undefined)
  }

  /** Stops retrying; the next start finds the webhook in the store. */
  stop(): void {
    this.#stopped = true
  }
}

function unlessEnded(error: unknown): void {
  if (!hasEnded(error)) throw error
}

/** The number of steps that are read and committed together. */
const stepBatch = 500

/** Decides what becomes of an order; null for no change. */
type Verb = (order: Order, context: DecisionContext) => Decision | null

/** The result of creating an order. */
interface Begun {
  readonly order: Order
  /** The settings that the order started with. */
  readonly settings: Settings
  /** Notes for the request log. */
  readonly notes: readonly string[]
  /** Makes the first webhook due once the answer has left or its connection broke; null if no webhook waits for
   *  that. */
  readonly releaseAnswer: (() => Promise<void>) | null
}

/** The one place through which every change of an order goes: read, decide, commit, emit. */
export class Lifecycle implements DueQueue {
  readonly #store: Store
  readonly #clients: Clients
  readonly #scheduler: Scheduler
  readonly #seed: () => string
  readonly #committer: Committer
  readonly #releases: AnswerReleases
  readonly #chooser: ScenarioChooser
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
    this.#seed = options.seed
    this.#committer = new Committer(options)
    this.#releases = new AnswerReleases(options)
    this.#chooser = new ScenarioChooser(options)
    this.versions = new ScenarioVersions(options.store)
    this.faults = new ApiFaults({ ...options, versions: this.versions })
    this.behaviours = options.behaviours
  }

  /** Creates an order under the scenario that its call, its client or a test chose.
   *  @param call the API call, whose faults apply and whose answer the first webhook waits for; null for an order
   *    without a call
   *  @throws order_exists, world_ended */
  async createOrder(
    client: Client,
    wanted: NewOrder,
    hints: ScenarioHints,
    call: CreatingCall | null,
  ): Promise<Begun> {
    const generation = this.#clients.generationOf(client.clientId)
    for (;;) {
      const chosen = await this.#chooser.choose(client, callOf(wanted), hints)
      const choice = call === null ? chosen : await this.#pastFaults(chosen, client, call)
      if (choice === null) continue
      await this.versions.keep(choice.found)
      const begun = this.#begin(client, wanted, choice, { isCalled: call !== null, generation })
      // Another order took the planned scenario: choose again.
      if (await this.#committer.commit(begun.decision, begun.settings, generation)) return begun
    }
  }

  /** Plays the faults of a create call that come before all checks, after a check has refused the call. */
  async refusedCreate(
    client: Client,
    wanted: CreateCall,
    hints: ScenarioHints,
    call: CreatingCall,
  ): Promise<void> {
    for (;;) {
      const chosen = await this.#chooser.choose(client, wanted, hints)
      if ((await this.faults.playAt('unchecked', chosen, call)) !== null) return
    }
  }

  /** Plays the faults that a create call meets before its order is stored, then checks its requestId. The commit
   *  checks the requestId too, but only after these faults.
   *  @returns the choice after the faults; null for choosing again
   *  @throws order_exists */
  async #pastFaults(
    chosen: ChosenScenario,
    client: Client,
    call: CreatingCall,
  ): Promise<ChosenScenario | null> {
    const choice = await this.faults.playAt('unchecked', chosen, call)
    if (choice === null) return null
    if (this.faults.mayMeetBefore(choice, call))
      await this.#refuseTaken(client, call.requestId, choice.found.scenario)
    return this.faults.playAt('before', choice, call)
  }

  #begin(
    { clientId }: Client,
    wanted: NewOrder,
    choice: ChosenScenario,
    { isCalled, generation }: { isCalled: boolean; generation: Generation },
  ): Begun & { readonly decision: Decision } {
    const { scenario, version } = choice.found
    const context = this.#circumstances(clientId, scenario)
    const chosen = { id: scenario.id, why: choice.why, version }
    const decision = create(wanted, { isCalled, choice: chosen, takesBinding: choice.takes?.id }, context)
    const { order, events } = decision
    const awaitsAnswer = events.some(({ dueAt }) => dueAt === null)
    const releaseAnswer = awaitsAnswer ? () => this.#releases.release(order, generation) : null
    return { decision, order, settings: context.settings, notes: choice.notes, releaseAnswer }
  }

  /** Rejects a requestId that is taken for a new order under this scenario.
   *  @throws order_exists */
  async #refuseTaken({ clientId }: Client, requestId: string, scenario: Scenario): Promise<void> {
    const isGlobal = this.#settingsUnder(scenario, clientId)['requestIds.scope'] === 'global'
    const taken =
      (await this.#store.ordersOf(clientId, requestId)).length > 0 ||
      (isGlobal && (await this.#store.usedByAnotherClient(clientId, requestId)))
    if (taken) throw new EmulatorError('order_exists', { requestId })
  }

  /** Stops retrying webhook releases; the next start finds them in the store. */
  stop(): void {
    this.#releases.stop()
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

  /** @param prepare reads further data for the verb, after the order has been read */
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

  /** @see DueQueue */
  nextDue(clientId: string, after?: EpochMs): Promise<EpochMs | null> {
    return this.#store.nextOrderDue(clientId, after)
  }

  /** Carries out the due steps of a client's orders, orders in parallel. A failed order is tried again and does not
   *  stop the others. */
  async start(clientId: string, until: EpochMs, generation: Generation): Promise<number> {
    const orders = await this.#store.dueOrders(clientId, until, stepBatch)
    const ends = await Promise.allSettled(orders.map((order) => this.#steps(order, { until, generation })))
    const failures = ends.flatMap((end) => (end.status === 'rejected' ? [end.reason] : []))
    // The next generation looks for itself.
    const failure = failures.find((reason) => !hasEnded(reason))
    if (failure !== undefined) throw failure
    return orders.length - failures.length
  }

  /** @see DueQueue */
  unfinished(clientId: string, until: EpochMs, among?: readonly string[]): Promise<string[]> {
    return this.#store.ordersDue(clientId, until, among)
  }

  /** Steps are done when `start` resolves. But a caller with its answer may advance the clock at once, and then its
   *  webhook belongs to the work that was due before. */
  busy(clientId: string): Promise<void> | null {
    return this.#releases.underWay(clientId)
  }

  /** Carries out the steps of an order one by one, up to `until`. Webhooks of a time are sent after all steps of
   *  that time. An order that has changed since it was read is skipped: it is due again, or no longer. */
  async #steps(due: Order, { until, generation }: { until: EpochMs; generation: Generation }): Promise<void> {
    const scenario = await this.versions.readable(due)
    if (scenario === null) {
      await this.#committer.commitUntold(park(due, this.#scheduler.now(due.clientId)), generation)
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
    const decide = async (inTurn: boolean): Promise<Order | 'stale' | 'in turn'> => {
      const context = this.#circumstances(order.clientId, scenario)
      const decision = verb(order, context)
      if (decision === null) return order
      if (decision.client !== undefined && !inTurn) return 'in turn'
      return (await this.#committer.commit(decision, context.settings, generation)) ? decision.order : 'stale'
    }
    const first = await decide(false)
    if (first !== 'in turn') return first
    const second = await this.#clients.turns.take(() => decide(true))
    return second === 'in turn' ? 'stale' : second
  }

  #circumstances(clientId: string, scenario: Scenario): DecisionContext {
    return {
      nowMs: this.#scheduler.now(clientId),
      clockSpeed: this.#scheduler.clockState(clientId).speed,
      settings: this.#settingsUnder(scenario, clientId),
      scenario,
      seed: this.#seed(),
      client: this.#clients.get(clientId),
    }
  }

  /** The settings of an order; without those of its scenario if the scenario is unreadable. */
  async settingsOf(order: Order): Promise<Settings> {
    const scenario = await this.versions.readable(order)
    return this.#clients.settingsOf(order.clientId, scenario?.settings)
  }

  /** The settings of a client's orders under a scenario. */
  #settingsUnder({ settings }: Scenario, clientId: string): Settings {
    return this.#clients.settingsOf(clientId, settings)
  }
}

import type { Settings } from '../domain/choices/settings.ts'
import type { Client, Generation } from '../domain/client/client.ts'
import { create, type NewOrder } from '../domain/order/create.ts'
import type { Decision } from '../domain/order/decision.ts'
import type { Order } from '../domain/order/order.ts'
import type { Scenario } from '../domain/scenario/scenario.ts'
import { EmulatorError } from '../domain/text/errors.ts'
import type { Store } from '../store/store.ts'
import type { Scheduler } from '../time/scheduler.ts'
import { persist } from '../time/timers.ts'
import type { ApiFaults, CreatingCall } from './api-faults.ts'
import type { Clients } from './clients.ts'
import type { Committer } from './commit.ts'
import { redrawing } from './redrawing.ts'
import type { ScenarioCatalog, ScenarioVersions } from './scenarios/catalog.ts'
import {
  type ChosenScenario,
  type CreateCall,
  callOf,
  ScenarioChooser,
  type ScenarioHints,
} from './scenarios/chooser.ts'
import type { SweepBehaviours } from './sweep-behaviours.ts'
import { hasEnded } from './world-loader.ts'

/** The result of creating an order. */
interface Begun {
  readonly order: Order
  /** The settings under which the order was created. */
  readonly settings: Settings
  /** Notes about the creation for the request log. */
  readonly notes: readonly string[]
  /** Makes the first webhook due once the answer has left or its connection broke; null if no webhook waits for
   *  that. */
  readonly releaseAnswer: (() => Promise<void>) | null
}

interface How {
  /** Whether an API call creates the order. */
  readonly isCalled: boolean
  readonly generation: Generation
  /** See `redrawing`. */
  readonly draw: number
}

/** Creates orders: chooses the scenario, plays planned faults, decides, commits, and releases the first webhook once
 *  the answer has left. */
export class OrderCreation {
  readonly #store: Store
  readonly #clients: Clients
  readonly #committer: Committer
  readonly #versions: ScenarioVersions
  readonly #faults: ApiFaults
  readonly #chooser: ScenarioChooser
  readonly #releases: AnswerReleases

  constructor(context: {
    store: Store
    clients: Clients
    catalog: ScenarioCatalog
    scheduler: Scheduler
    seed: () => string
    behaviours: SweepBehaviours
    committer: Committer
    versions: ScenarioVersions
    faults: ApiFaults
    onError: (error: unknown) => void
  }) {
    this.#store = context.store
    this.#clients = context.clients
    this.#committer = context.committer
    this.#versions = context.versions
    this.#faults = context.faults
    this.#chooser = new ScenarioChooser(context)
    this.#releases = new AnswerReleases(context)
  }

  /** Creates an order under the scenario that its call, its client or a test chose.
   *  @param call the API call, whose faults apply and whose answer the first webhook waits for; null for an order
   *    without a call
   *  @throws order_exists, world_ended */
  async create(
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
      await this.#versions.keep(choice.found)
      const how = { isCalled: call !== null, generation }
      const begun = await redrawing((draw) => this.#committed(client, wanted, choice, { ...how, draw }))
      if (begun !== null) return begun
    }
  }

  /** Decides and commits. Null if another order took the planned scenario: choose again. */
  async #committed(
    client: Client,
    wanted: NewOrder,
    choice: ChosenScenario,
    how: How,
  ): Promise<Begun | null> {
    const begun = this.#begin(client, wanted, choice, how)
    return (await this.#committer.commit(begun.decision, begun.settings, how.generation)) ? begun : null
  }

  /** Plays the faults of a create call that come before all checks, after a check has refused the call. */
  async refused(client: Client, wanted: CreateCall, hints: ScenarioHints, call: CreatingCall): Promise<void> {
    for (;;) {
      const chosen = await this.#chooser.choose(client, wanted, hints)
      if ((await this.#faults.playAt('unchecked', chosen, call)) !== null) return
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
    const choice = await this.#faults.playAt('unchecked', chosen, call)
    if (choice === null) return null
    if (this.#faults.mayMeetBefore(choice, call))
      await this.#refuseTaken(client, call.requestId, choice.found.scenario)
    return this.#faults.playAt('before', choice, call)
  }

  #begin(
    { clientId }: Client,
    wanted: NewOrder,
    choice: ChosenScenario,
    { isCalled, generation, draw }: How,
  ): Begun & { readonly decision: Decision } {
    const { scenario, version } = choice.found
    const context = this.#committer.context(clientId, scenario, draw)
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
    const isGlobal = this.#clients.settingsOf(clientId, scenario.settings)['requestIds.scope'] === 'global'
    const taken =
      (await this.#store.ordersOf(clientId, requestId)).length > 0 ||
      (isGlobal && (await this.#store.usedByAnotherClient(clientId, requestId)))
    if (taken) throw new EmulatorError('order_exists', { requestId })
  }

  /** Resolves when the webhooks that are being released have become due; null if none is being released. */
  releasing(clientId: string): Promise<void> | null {
    return this.#releases.pending(clientId)
  }

  /** Stops retrying webhook releases; the next start finds them in the store. */
  stop(): void {
    this.#releases.stop()
  }
}

interface ReleaseContext {
  readonly store: Store
  readonly scheduler: Scheduler
  readonly onError: (error: unknown) => void
}

/** Makes the first webhook of an order due once the answer of its create call has left. */
class AnswerReleases {
  readonly #context: ReleaseContext
  readonly #byClient = new Map<string, Set<Promise<unknown>>>()
  #stopped = false

  constructor(context: ReleaseContext) {
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
    // Repeated on errors: otherwise no webhook of the order would ever be sent.
    const released = persist(release, { onError, unwanted: () => isOver() || this.#stopped })
    const releases = this.#byClient.get(clientId) ?? new Set()
    releases.add(released)
    this.#byClient.set(clientId, releases)
    await released
    releases.delete(released)
    if (releases.size === 0) this.#byClient.delete(clientId)
    scheduler.wake(clientId)
  }

  /** Resolves when the running releases of a client have ended; null if there are none. */
  pending(clientId: string): Promise<void> | null {
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

import type { Settings } from '../domain/choices/settings.ts'
import type { Generation } from '../domain/client/client.ts'
import type { Decision, DecisionContext } from '../domain/order/decision.ts'
import type { Scenario } from '../domain/scenario/scenario.ts'
import { EmulatorError } from '../domain/text/errors.ts'
import type { EpochMs } from '../domain/text/time.ts'
import { jwtOf } from '../domain/webhook/jwt.ts'
import type { ClientSecrets } from '../domain/webhook/secret.ts'
import type { Store } from '../store/store.ts'
import type { Scheduler } from '../time/scheduler.ts'
import type { Clients } from './clients.ts'
import { sealedDelivery } from './sealed-body.ts'

/** The error codes for a decision that was made on outdated data. */
const tooLate: readonly string[] = ['binding_used', 'stale_order']

/** Gives decisions their context, commits them and emits them: the steps around every change of an order. */
export class Committer {
  readonly #store: Store
  readonly #clients: Clients
  readonly #scheduler: Scheduler
  readonly #seed: () => string
  readonly #onCommitted: (decision: Decision) => void

  constructor(context: {
    store: Store
    clients: Clients
    scheduler: Scheduler
    seed: () => string
    onCommitted: (decision: Decision) => void
  }) {
    this.#store = context.store
    this.#clients = context.clients
    this.#scheduler = context.scheduler
    this.#seed = context.seed
    this.#onCommitted = context.onCommitted
  }

  /** The context of a decision about an order of a client: time, settings, scenario and seed.
   *  @param draw see `redrawing` */
  context(clientId: string, scenario: Scenario, draw = 0): DecisionContext {
    return {
      nowMs: this.#scheduler.now(clientId),
      clockSpeed: this.#scheduler.clockState(clientId).speed,
      settings: this.#clients.settingsOf(clientId, scenario.settings),
      scenario,
      seed: this.#seed(),
      draw,
      client: this.#clients.get(clientId),
    }
  }

  /** Commits a decision, emits it, and wakes the client's scheduler. False if the decision is stale: the order has
   *  changed, or its planned scenario is used up.
   *  @param settings the settings of the decision
   *  @throws world_ended */
  async commit(decided: Decision, settings: Settings, generation: Generation): Promise<boolean> {
    const { clientId } = decided.order
    const isSealed = jwtOf(settings) !== null
    const decision = isSealed ? sealedDecision(decided, settings, this.#clients.get(clientId)) : decided
    if (!(await this.commitSilently(decision, generation))) return false
    if (decision.client !== undefined) this.#clients.changed(clientId, decision.client)
    this.#emit(decision)
    if (decision.opens !== undefined) this.#emit(decision.opens)
    return true
  }

  /** Commits a decision without emitting it. False if the decision is stale.
   *  @throws world_ended */
  async commitSilently(decision: Decision, generation: Generation): Promise<boolean> {
    try {
      await this.#store.commit(decision, generation)
      return true
    } catch (error) {
      if (error instanceof EmulatorError && tooLate.includes(error.code)) return false
      throw error
    }
  }

  #emit(written: Decision): void {
    this.#onCommitted(written)
    const dueAt = firstDue(written)
    if (dueAt !== null) this.#scheduler.wakeFor(written.order.clientId, dueAt)
  }
}

/** The earliest time at which a step or a webhook of a decision is due; null for none. */
function firstDue({ order, events }: Decision): EpochMs | null {
  let first = order.nextDueAt
  for (const { dueAt, status } of events) {
    if (status === 'pending' && dueAt !== null && (first === null || dueAt < first)) first = dueAt
  }
  return first
}

/** Puts the webhook bodies of a decision into their wire format. */
function sealedDecision(decision: Decision, settings: Settings, secrets: ClientSecrets): Decision {
  const { events, opens } = decision
  return {
    ...decision,
    events: events.map((event) => sealedDelivery(event, settings, secrets)),
    opens: opens && sealedDecision(opens, settings, secrets),
  }
}

import type { Settings } from '../domain/choices.ts'
import type { Decision } from '../domain/decision.ts'
import { EmulatorError } from '../domain/errors.ts'
import type { Generation } from '../domain/generation.ts'
import type { EpochMs } from '../domain/time.ts'
import type { Store } from '../store/store.ts'
import type { Scheduler } from '../time/scheduler.ts'
import type { Clients } from './clients.ts'
import { sealedDecision } from './sealing.ts'

/** How the store refuses what was decided on what is no longer so. */
const tooLate: readonly string[] = ['binding_used', 'stale_order']

/** Commits what was decided of orders, and has it known: the last two steps of every change. */
export class Committer {
  readonly #store: Store
  readonly #clients: Clients
  readonly #scheduler: Scheduler
  readonly #onCommitted: (decision: Decision) => void

  constructor(around: {
    store: Store
    clients: Clients
    scheduler: Scheduler
    onCommitted: (decision: Decision) => void
  }) {
    this.#store = around.store
    this.#clients = around.clients
    this.#scheduler = around.scheduler
    this.#onCommitted = around.onCommitted
  }

  /** Commits, tells whoever listens, and wakes the client's world. False if the decision came too late: the order has
   *  changed, or its binding is used up.
   *  @param settings those that it was decided under
   *  @throws world_ended */
  async commit(decided: Decision, settings: Settings, generation: Generation): Promise<boolean> {
    const { clientId } = decided.order
    const isSealed = settings['webhook.format'] === 'jwt'
    const decision = isSealed
      ? await sealedDecision(decided, settings, this.#clients.get(clientId).apiSecret)
      : decided
    if (!(await this.commitUntold(decision, generation))) return false
    if (decision.client !== undefined) this.#clients.changed(clientId, decision.client)
    this.#tell(decision)
    if (decision.opens !== undefined) this.#tell(decision.opens)
    return true
  }

  /** Commits what nobody has to hear of. False if the decision came too late. @throws world_ended */
  async commitUntold(decision: Decision, generation: Generation): Promise<boolean> {
    try {
      await this.#store.commit(decision, generation)
      return true
    } catch (error) {
      if (error instanceof EmulatorError && tooLate.includes(error.code)) return false
      throw error
    }
  }

  #tell(written: Decision): void {
    this.#onCommitted(written)
    const dueAt = firstDue(written)
    if (dueAt !== null) this.#scheduler.wakeFor(written.order.clientId, dueAt)
  }
}

/** When the first thing is due that a decision has made due; null if it is nothing. */
function firstDue({ order, events }: Decision): EpochMs | null {
  let first = order.nextDueAt
  for (const { dueAt, status } of events) {
    if (status === 'pending' && dueAt !== null && (first === null || dueAt < first)) first = dueAt
  }
  return first
}

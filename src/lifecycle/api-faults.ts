import type { FaultyCall } from '../domain/faults/planned-fault.ts'
import type { Binding } from '../domain/order/decision.ts'
import type { Order } from '../domain/order/order.ts'
import {
  type AppliedRule,
  answersCalls,
  type CountedRule,
  rulesFor,
} from '../domain/scenario/answer-rules.ts'
import type { Scenario } from '../domain/scenario/scenario.ts'
import { EmulatorError } from '../domain/text/errors.ts'
import type { Store } from '../store/store.ts'
import type { Scheduler } from '../time/scheduler.ts'
import type { Clients } from './clients.ts'
import type { PlannedFaults } from './planned-faults.ts'
import type { ScenarioVersions } from './scenarios/catalog.ts'
import type { ChosenScenario } from './scenarios/chooser.ts'
import { phaseOf, type SweepBehaviours } from './sweep-behaviours.ts'
import { hasEnded } from './world-loader.ts'

/** An API call about existing orders, whose scenarios may have rules for it. */
interface OrderCall extends FaultyCall {
  readonly clientId: string
  readonly requestId: string
  readonly orders?: 'open' | 'final' | undefined
}

/** An API call that creates an order. */
export interface CreatingCall extends Omit<OrderCall, 'when'> {
  /** The ids of planned faults and scenarios, by stage, that have counted this call. A call counts once, even if it
   *  chooses its scenario several times. */
  readonly counted: Set<string>
  /** Plays a fault before anything is stored: waits, or throws an error instead of the answer.
   *  @param chosen the scenario that the order would get */
  play(fault: AppliedRule, chosen: ChosenScenario): Promise<void>
}

/** Finds and counts the planned faults and the scenario rules that apply to a call. A planned fault comes first;
 *  scenario rules then neither apply nor count. The API module carries the fault out. */
export class ApiFaults {
  readonly #store: Store
  readonly #plans: PlannedFaults
  readonly #versions: ScenarioVersions
  readonly #scheduler: Scheduler
  readonly #clients: Clients
  readonly #seed: () => string
  readonly #behaviours: SweepBehaviours

  constructor(options: {
    store: Store
    plans: PlannedFaults
    versions: ScenarioVersions
    scheduler: Scheduler
    clients: Clients
    seed: () => string
    behaviours: SweepBehaviours
  }) {
    this.#store = options.store
    this.#plans = options.plans
    this.#versions = options.versions
    this.#scheduler = options.scheduler
    this.#clients = options.clients
    this.#seed = options.seed
    this.#behaviours = options.behaviours
  }

  /** Finds the fault of a call at one stage; null for none.
   *  @param orders the orders of the call, all of one requestId and so of one scenario */
  async at(call: FaultyCall, orders: readonly Order[]): Promise<AppliedRule | null> {
    const planned = await this.#plans.meet(call, orders)
    if (planned !== null) return planned
    const [order] = orders
    if (order === undefined) return null
    const { clientId, requestId } = order
    const scenario = await this.#versions.of(order)
    return this.#count(scenario, { ...call, clientId, requestId, orders: phaseOf(orders) })
  }

  /** Plays the fault that a create call meets before its order is stored. A planned scenario stays with the
   *  requestId, so a retry of the call gets the same one.
   *  @param chosen the scenario that the order would get
   *  @returns the choice that holds after the fault; null if another order took the planned scenario */
  async playAt(
    when: 'unchecked' | 'before',
    chosen: ChosenScenario,
    call: CreatingCall,
  ): Promise<ChosenScenario | null> {
    const byPlans = `${when}, planned`
    const planned = call.counted.has(byPlans) ? null : await this.#plans.meet({ ...call, when }, [])
    call.counted.add(byPlans)
    if (planned !== null) {
      await call.play(planned, chosen)
      return chosen
    }
    const { takes } = chosen
    const { scenario } = chosen.found
    const byRules = `${when}, scenario ${scenario.id}`
    if (call.counted.has(byRules)) return chosen
    const pinned = takes === undefined || isFor(takes, call) ? undefined : pinnedTo(call, takes)
    const pins = takes === undefined || pinned === undefined ? undefined : { from: takes.id, pinned }
    const fault = await this.#count(scenario, { ...call, when }, pins).catch(unlessUsed)
    if (fault === 'used') return null
    call.counted.add(byRules)
    if (fault === null) return chosen
    await call.play(fault, chosen)
    return pinned === undefined ? chosen : { ...chosen, takes: pinned }
  }

  /** Whether a fault may apply to a create call that has passed all checks but the one of its requestId. */
  mayMeetBefore({ found: { scenario } }: ChosenScenario, call: CreatingCall): boolean {
    const asked = { ...call, when: 'before' } as const
    return this.#rules(scenario, asked).length > 0 || this.#plans.concernsCall(asked, [])
  }

  #rules(scenario: Scenario, call: OrderCall): readonly CountedRule[] {
    if (!answersCalls(scenario)) return []
    return rulesFor(scenario, call, [this.#seed(), call.clientId, call.requestId])
  }

  /** Counts a call for the matching rules of a scenario. The first rule with calls left answers it.
   *  @throws binding_used */
  async #count(
    scenario: Scenario,
    call: OrderCall,
    pins?: { from: string; pinned: Binding },
  ): Promise<AppliedRule | null> {
    const { clientId, requestId, operation } = call
    const rules = this.#rules(scenario, call).filter(({ rule }) => this.#behaviours.allows(rule, clientId))
    if (rules.length === 0) return null
    const at = this.#scheduler.now(clientId)
    const scenarioId = scenario.id
    const generation = this.#clients.generationOf(clientId)
    const counted = await this.#store
      .countAnswer({ clientId, generation, requestId, scenarioId, at, rules, pins })
      // After a reset, faults of the data before it no longer apply.
      .catch(unlessEnded)
    if (counted === null) return null
    const { rule } = counted.rule
    this.#behaviours.answered(rule, clientId, requestId)
    return {
      rule,
      operation,
      clientId,
      requestId,
      by: rule.by === undefined ? `scenario ${scenarioId}` : `behaviour ${rule.by}`,
      n: counted.calls - rule.skip,
    }
  }
}

function unlessEnded(error: unknown): null {
  if (hasEnded(error)) return null
  throw error
}

function unlessUsed(error: unknown): 'used' {
  if (error instanceof EmulatorError && error.code === 'binding_used') return 'used'
  throw error
}

type Named = Pick<OrderCall, 'clientId' | 'requestId'>

const isFor = (binding: Binding, { clientId, requestId }: Named): boolean =>
  binding.clientId === clientId && binding.requestId === requestId

/** The part of a planned scenario that belongs to one order. */
const pinnedTo = ({ clientId, requestId }: Named, { id, scenario }: Binding): Binding => ({
  id: JSON.stringify([id, clientId, requestId]),
  scenario,
  clientId,
  requestId,
  remaining: 1,
})

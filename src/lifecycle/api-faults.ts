import type { Binding } from '../domain/decision.ts'
import { EmulatorError } from '../domain/errors.ts'
import type { FaultyCall } from '../domain/fault/faulty-call.ts'
import type { Operation } from '../domain/journal-entry.ts'
import type { LookedUpOrder } from '../domain/order.ts'
import {
  type AnswerFault,
  answersCalls,
  type CountedRule,
  rulesFor,
} from '../domain/scenario/answer-faults.ts'
import type { Scenario } from '../domain/scenario/scenario.ts'
import type { Store } from '../store/store.ts'
import type { Scheduler } from '../time/scheduler.ts'
import type { FaultPlans } from './fault-plans.ts'
import type { ChosenScenario } from './scenario-choice.ts'
import type { ScenarioVersions } from './scenario-versions.ts'

/** A call that is about orders, so that scenarios may have rules for it. */
interface OrderCall extends FaultyCall {
  readonly clientId: string
  readonly requestId: string
}

/** A fault for a create call, and the choice that holds from then on. */
interface CreateFault {
  readonly fault: AnswerFault | null
  readonly choice: ChosenScenario
}

/** Which calls are answered wrongly: finds the planned faults and the rules of scenarios that fit them, and counts.
 *  What is planned comes first; a scenario's rule is not asked, and counts nothing, where that is done. The api plays
 *  what is found. It stands here because which rules hold follows from the choice of a scenario and from the version
 *  that an order began with.
 *
 *  Every question is answered with null at once, without a promise, where there is no rule to ask for. */
export class ApiFaults {
  readonly #store: Store
  readonly #plans: FaultPlans
  readonly #versions: ScenarioVersions
  readonly #scheduler: Scheduler
  readonly #seed: () => string

  constructor(options: {
    store: Store
    plans: FaultPlans
    versions: ScenarioVersions
    scheduler: Scheduler
    seed: () => string
  }) {
    this.#store = options.store
    this.#plans = options.plans
    this.#versions = options.versions
    this.#scheduler = options.scheduler
    this.#seed = options.seed
  }

  /** Whether there may be anything to ask for, of a call about these orders. */
  concern(orders: readonly LookedUpOrder[], operation: Operation, clientId: string | null): boolean {
    if (this.#plans.mayMeet(operation, clientId)) return true
    const [order] = orders
    if (order === undefined) return false
    const scenario = this.#versions.known(order)
    return scenario === undefined || answersCalls(scenario)
  }

  /** The same of a create call under the scenario that it would get. */
  concernCreate(scenario: Scenario, operation: Operation, clientId: string): boolean {
    return answersCalls(scenario) || this.#plans.mayMeet(operation, clientId)
  }

  /** The fault for a call about orders that exist, all of one requestId and so of one scenario. */
  of(orders: readonly LookedUpOrder[], call: FaultyCall): Promise<AnswerFault | null> | null {
    const planned = this.#plans.meet(call, orders)
    if (planned === null) return this.#ofScenario(orders, call)
    return planned.then((fault) => fault ?? this.#ofScenario(orders, call))
  }

  /** The fault for a create call under the scenario that it would get. A planned scenario that a fault's call takes
   *  stays with its requestId, retries included.
   *  @param isAgain its planned faults have counted it already, under a scenario that was lost to another order
   *  @returns the choice that holds from now on; null instead if the planned scenario was used up meanwhile */
  ofCreate(chosen: ChosenScenario, call: OrderCall, isAgain: boolean): Promise<CreateFault | null> | null {
    const planned = isAgain ? null : this.#plans.meet(call, [])
    if (planned === null) return this.#ofChosen(chosen, call)
    return planned.then((fault) =>
      fault === null
        ? (this.#ofChosen(chosen, call) ?? { fault, choice: chosen })
        : { fault, choice: chosen },
    )
  }

  /** Whether there is anything to ask for, of a create call. */
  hasRules(scenario: Scenario, call: OrderCall): boolean {
    return this.#rules(scenario, call).length > 0 || this.#plans.concernsCall(call, [])
  }

  #ofChosen(chosen: ChosenScenario, call: OrderCall): Promise<CreateFault | null> | null {
    const rules = this.#rules(chosen.found.scenario, call)
    return rules.length === 0 ? null : this.#counted(chosen, call, rules)
  }

  #ofScenario([order]: readonly LookedUpOrder[], call: FaultyCall): Promise<AnswerFault | null> | null {
    if (order === undefined) return null
    const { clientId, requestId } = order
    const about = { ...call, clientId, requestId }
    const known = this.#versions.known(order)
    if (known !== undefined) return this.#under(known, about)
    return this.#versions.of(order).then((scenario) => this.#under(scenario, about))
  }

  #under(scenario: Scenario, call: OrderCall): Promise<AnswerFault | null> | null {
    const rules = this.#rules(scenario, call)
    return rules.length === 0 ? null : this.#count(scenario, call, rules)
  }

  #rules(scenario: Scenario, call: OrderCall): readonly CountedRule[] {
    if (!answersCalls(scenario)) return []
    return rulesFor(scenario, call, [this.#seed(), call.clientId, call.requestId])
  }

  async #counted(chosen: ChosenScenario, call: OrderCall, rules: readonly CountedRule[]) {
    const { takes } = chosen
    const pinned = takes === undefined || isFor(takes, call) ? undefined : pinnedTo(call, takes)
    const pins = takes === undefined || pinned === undefined ? undefined : { from: takes.id, pinned }
    try {
      const fault = await this.#count(chosen.found.scenario, call, rules, pins)
      const choice = fault === null || pinned === undefined ? chosen : { ...chosen, takes: pinned }
      return { fault, choice }
    } catch (error) {
      if (error instanceof EmulatorError && error.code === 'binding_used') return null
      throw error
    }
  }

  async #count(
    { id }: Scenario,
    { clientId, requestId, operation }: OrderCall,
    rules: readonly CountedRule[],
    pins?: { from: string; pinned: Binding },
  ): Promise<AnswerFault | null> {
    const at = this.#scheduler.now(clientId)
    const counted = await this.#store.countAnswer({ clientId, requestId, scenarioId: id, at, rules, pins })
    if (counted === null) return null
    const { rule } = counted.rule
    return { rule, operation, clientId, requestId, by: `scenario ${id}`, n: counted.calls - rule.skip }
  }
}

const isFor = (binding: Binding, { clientId, requestId }: OrderCall): boolean =>
  binding.clientId === clientId && binding.requestId === requestId

/** One order's part of a binding. */
const pinnedTo = ({ clientId, requestId }: OrderCall, { id, scenario }: Binding): Binding => ({
  id: JSON.stringify([id, clientId, requestId]),
  scenario,
  clientId,
  requestId,
  remaining: 1,
})

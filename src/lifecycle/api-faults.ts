import type { Binding } from '../domain/decision.ts'
import { EmulatorError } from '../domain/errors.ts'
import type { Operation } from '../domain/journal-entry.ts'
import type { Order } from '../domain/order.ts'
import {
  type AnswerFault,
  answersCalls,
  type CountedRule,
  rulesFor,
} from '../domain/scenario/answer-faults.ts'
import type { FaultStage } from '../domain/scenario/answer-rules.ts'
import type { Scenario } from '../domain/scenario/scenario.ts'
import type { Store } from '../store/store.ts'
import type { Scheduler } from '../time/scheduler.ts'
import type { ChosenScenario } from './scenario-choice.ts'
import type { ScenarioVersions } from './scenario-versions.ts'

/** A call that scenarios may have rules for. */
export interface FaultyCall {
  readonly operation: Operation
  readonly when: FaultStage
  readonly clientId: string
  readonly requestId: string
}

/** Which calls about orders are answered wrongly: finds the rules of their scenarios and counts. The api plays what
 *  is found. It stands here because which rules hold follows from the choice of a scenario and from the version that
 *  an order began with.
 *
 *  Every question is answered with null at once, without a promise, where there is no rule to ask for. */
export class ApiFaults {
  readonly #store: Store
  readonly #versions: ScenarioVersions
  readonly #scheduler: Scheduler
  readonly #seed: () => string

  constructor(options: {
    store: Store
    versions: ScenarioVersions
    scheduler: Scheduler
    seed: () => string
  }) {
    this.#store = options.store
    this.#versions = options.versions
    this.#scheduler = options.scheduler
    this.#seed = options.seed
  }

  /** Whether there may be anything to ask for, of a call about this order. */
  concern(order: Order): boolean {
    const scenario = this.#versions.known(order)
    return scenario === undefined || answersCalls(scenario)
  }

  /** The fault for a call about orders that exist, all of one requestId and so of one scenario. */
  of([order]: readonly Order[], call: FaultyCall): Promise<AnswerFault | null> | null {
    if (order === undefined) return null
    const known = this.#versions.known(order)
    if (known !== undefined) return this.#under(known, call)
    return this.#versions.of(order).then((scenario) => this.#under(scenario, call))
  }

  /** The fault for a create call under the scenario that it would get. A planned scenario that a fault's call takes
   *  stays with its requestId, retries included.
   *  @returns the choice that holds from now on; null instead if the planned scenario was used up meanwhile */
  ofCreate(
    chosen: ChosenScenario,
    call: FaultyCall,
  ): Promise<{ fault: AnswerFault | null; choice: ChosenScenario } | null> | null {
    const { scenario } = chosen.found
    const rules = this.#rules(scenario, call)
    return rules.length === 0 ? null : this.#counted(chosen, call, rules)
  }

  /** Whether there is anything to ask for. */
  hasRules(scenario: Scenario, call: FaultyCall): boolean {
    return this.#rules(scenario, call).length > 0
  }

  #under(scenario: Scenario, call: FaultyCall): Promise<AnswerFault | null> | null {
    const rules = this.#rules(scenario, call)
    return rules.length === 0 ? null : this.#count(scenario, call, rules)
  }

  #rules(scenario: Scenario, call: FaultyCall): readonly CountedRule[] {
    if (!answersCalls(scenario)) return []
    return rulesFor(scenario, call, [this.#seed(), call.clientId, call.requestId])
  }

  async #counted(chosen: ChosenScenario, call: FaultyCall, rules: readonly CountedRule[]) {
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
    { clientId, requestId, operation }: FaultyCall,
    rules: readonly CountedRule[],
    pins?: { from: string; pinned: Binding },
  ): Promise<AnswerFault | null> {
    const at = this.#scheduler.now(clientId)
    const counted = await this.#store.countAnswer({ clientId, requestId, scenarioId: id, at, rules, pins })
    if (counted === null) return null
    const { rule } = counted.rule
    return { rule, operation, clientId, requestId, scenario: id, n: counted.calls - rule.skip }
  }
}

const isFor = (binding: Binding, { clientId, requestId }: FaultyCall): boolean =>
  binding.clientId === clientId && binding.requestId === requestId

/** One order's part of a binding. */
const pinnedTo = ({ clientId, requestId }: FaultyCall, { id, scenario }: Binding): Binding => ({
  id: JSON.stringify([id, clientId, requestId]),
  scenario,
  clientId,
  requestId,
  remaining: 1,
})

import type { ControlApi } from './control-api.ts'
import type {
  Binding,
  Explanation,
  NextScenario,
  OrderKind,
  Scenario,
  ScenarioId,
  ScenarioProblem,
  ScenarioSummary,
} from './shapes.ts'

/** The order for which a scenario is explained. */
export interface ExplainOptions {
  /** The kind of the order. Default: `checkout`. */
  readonly kind?: OrderKind | undefined
  /** The amount of the order. Default: `10.00`. */
  readonly amount?: string | undefined
  /** The seed for the scenario's random values. */
  readonly seed?: string | undefined
}

/** The scenarios that orders follow. */
export class Scenarios {
  readonly #control: ControlApi

  constructor(control: ControlApi) {
    this.#control = control
  }

  /** Selects the scenario of the next order, or of the next few: `next('fail-9004')`, `next('webhook-duplicate', {
   *  count: 3 })`, `next('chaos', { requestId: 'r1' })`.
   *  @throws ControlCallRefused for an unknown scenario */
  next(scenario: ScenarioId, options: Pick<NextScenario, 'requestId' | 'count'> = {}): Promise<Binding> {
    return this.#control.call('POST', '/scenarios/next', { body: { scenario, ...options } })
  }

  /** Lists the scenarios that are planned for coming orders. */
  planned(): Promise<Binding[]> {
    return this.#control.list('/scenarios/next')
  }

  /** Cancels planned scenarios.
   *  @param id one plan; without it, all */
  async clearPlanned(id?: string): Promise<void> {
    await this.#control.call('DELETE', '/scenarios/next', { query: { id } })
  }

  /** Lists all scenarios. */
  list(): Promise<ScenarioSummary[]> {
    return this.#control.list('/scenarios')
  }

  /** Lists the errors in the scenario files that the emulator was started with. */
  problems(): Promise<ScenarioProblem[]> {
    return this.#control.list('/scenarios/problems')
  }

  /** Returns a scenario as it was written. */
  get(id: ScenarioId): Promise<Scenario> {
    return this.#control.call('GET', `/scenarios/${encodeURIComponent(id)}`)
  }

  /** Adds or replaces a scenario for all clients.
   *  @param scenario YAML, or an object with the same fields
   *  @throws ControlCallRefused with the line and column of what is wrong */
  put(id: string, scenario: string | object): Promise<Scenario> {
    const text = typeof scenario === 'string' ? scenario : JSON.stringify(scenario)
    return this.#control.call('PUT', `/scenarios/${encodeURIComponent(id)}`, { body: text })
  }

  /** Removes a scenario that was added. */
  async remove(id: string): Promise<void> {
    await this.#control.call('DELETE', `/scenarios/${encodeURIComponent(id)}`)
  }

  /** Returns the steps that an order would follow and the webhooks that would be sent, without running them. */
  explain(id: ScenarioId, options: ExplainOptions = {}): Promise<Explanation> {
    const query = { ...options }
    return this.#control.call('GET', `/scenarios/${encodeURIComponent(id)}/explain`, { query })
  }
}

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

/** For what order a scenario is explained; a checkout of 10.00 if nothing is said. */
export interface ExplainOptions {
  readonly kind?: OrderKind | undefined
  /** Like `10.00`. */
  readonly amount?: string | undefined
  /** Draws what the scenario leaves to chance. */
  readonly seed?: string | undefined
}

/** The scripts that orders follow. */
export class Scenarios {
  readonly #control: ControlApi

  constructor(control: ControlApi) {
    this.#control = control
  }

  /** Chooses the scenario of the next order, or of more of them: `next('fail-9004')`,
   *  `next('webhook-duplicate', {count: 3})`, `next('chaos', {requestId: 'r1'})`.
   *  @throws ControlCallRefused if there is no such scenario */
  next(scenario: ScenarioId, options: Pick<NextScenario, 'requestId' | 'count'> = {}): Promise<Binding> {
    return this.#control.call('POST', '/scenarios/next', { body: { scenario, ...options } })
  }

  /** What is planned for coming orders, and for how many more. */
  planned(): Promise<Binding[]> {
    return this.#control.list('/scenarios/next')
  }

  /** Takes back what is planned for coming orders: all of it, or one plan.
   *  @param id of the plan */
  async clearPlanned(id?: string): Promise<void> {
    await this.#control.call('DELETE', '/scenarios/next', { query: { id } })
  }

  /** The scenarios that there are. */
  list(): Promise<ScenarioSummary[]> {
    return this.#control.list('/scenarios')
  }

  /** What is wrong with the scenario files that the emulator was started with, as they are now. */
  problems(): Promise<ScenarioProblem[]> {
    return this.#control.list('/scenarios/problems')
  }

  /** A scenario, as it was written. */
  get(id: ScenarioId): Promise<Scenario> {
    return this.#control.call('GET', `/scenarios/${encodeURIComponent(id)}`)
  }

  /** Adds a scenario, or replaces one, for all clients.
   *  @param scenario YAML, or an object of the same shape
   *  @throws ControlCallRefused with line and column of what is wrong */
  put(id: string, scenario: string | object): Promise<Scenario> {
    const text = typeof scenario === 'string' ? scenario : JSON.stringify(scenario)
    return this.#control.call('PUT', `/scenarios/${encodeURIComponent(id)}`, { body: text })
  }

  /** Takes a scenario back that was put. */
  async remove(id: string): Promise<void> {
    await this.#control.call('DELETE', `/scenarios/${encodeURIComponent(id)}`)
  }

  /** The timetable that an order would follow, and the webhooks that would be sent, without running anything. */
  explain(id: ScenarioId, options: ExplainOptions = {}): Promise<Explanation> {
    const query = { ...options }
    return this.#control.call('GET', `/scenarios/${encodeURIComponent(id)}/explain`, { query })
  }
}

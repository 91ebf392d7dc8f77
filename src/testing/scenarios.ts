import type { ControlApi } from './control-api.ts'
import type { Binding, Explanation, NextScenario, Scenario, ScenarioSummary } from './shapes.generated.ts'

/** The scripts that orders follow. */
export class Scenarios {
  readonly #control: ControlApi

  constructor(control: ControlApi) {
    this.#control = control
  }

  /** Chooses the scenario of the next order, or of more of them: `next('fail-9004')`,
   *  `next('webhook-duplicate', {count: 3})`, `next('chaos', {requestId: 'r1'})`.
   *  @throws ControlCallRefused if there is no such scenario */
  next(scenario: string, options: Pick<NextScenario, 'requestId' | 'count'> = {}): Promise<Binding> {
    return this.#control.call('POST', '/scenarios/next', { body: { scenario, ...options } })
  }

  /** Those that there are. */
  list(): Promise<ScenarioSummary[]> {
    return this.#control.list('/scenarios')
  }

  /** One of them, as it was written. */
  get(id: string): Promise<Scenario> {
    return this.#control.call('GET', `/scenarios/${encodeURIComponent(id)}`)
  }

  /** Adds one, or replaces it, for all clients.
   *  @param scenario YAML, or an object of the same shape
   *  @throws ControlCallRefused with line and column of what is wrong */
  put(id: string, scenario: string | object): Promise<Scenario> {
    const text = typeof scenario === 'string' ? scenario : JSON.stringify(scenario)
    return this.#control.call('PUT', `/scenarios/${encodeURIComponent(id)}`, { body: text })
  }

  /** Takes one back that was put. */
  async remove(id: string): Promise<void> {
    await this.#control.call('DELETE', `/scenarios/${encodeURIComponent(id)}`)
  }

  /** The timetable that an order would follow, and the webhooks that would be sent, without running anything. */
  explain(id: string): Promise<Explanation> {
    return this.#control.call('GET', `/scenarios/${encodeURIComponent(id)}/explain`)
  }
}

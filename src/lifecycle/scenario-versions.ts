import { EmulatorError } from '../domain/errors.ts'
import type { Order } from '../domain/order.ts'
import { type Scenario, scenarioFormat } from '../domain/scenario/scenario.ts'
import type { Store } from '../store/store.ts'
import type { CatalogScenario } from './scenario-catalog.ts'

/** Versions kept at hand: enough for those in use, though a test may put a scenario of its own for each case. */
const atHand = 500

/** Scenarios as they were when orders began with them, so that an edited file disturbs no running order. */
export class ScenarioVersions {
  readonly #store: Store
  readonly #known = new Map<string, Scenario>()

  constructor(store: Store) {
    this.#store = store
  }

  /** Keeps a scenario before the first order begins with it. */
  async keep({ version, scenario }: CatalogScenario): Promise<void> {
    if (this.#known.has(version)) return
    const scenarioJson = JSON.stringify(scenario)
    await this.#store.saveScenarioVersion(version, { scenarioJson, format: scenarioFormat })
    this.#remember(version, scenario)
  }

  /** The scenario that an order follows.
   *  @throws scenario_outdated
   *  @throws {Error} if the store lost it (it was kept before the order was) */
  async of(order: Pick<Order, 'scenario'>): Promise<Scenario> {
    const { version, id } = order.scenario
    const known = this.#known.get(version)
    if (known !== undefined) return known
    const compiled = await this.#store.findScenarioVersion(version)
    if (compiled === null) throw new Error(`version ${version} of scenario "${id}" is not in the database`)
    const { format, scenarioJson } = compiled
    if (format !== scenarioFormat)
      throw new EmulatorError('scenario_outdated', { id, format: `${format}`, known: `${scenarioFormat}` })
    const scenario: Scenario = JSON.parse(scenarioJson)
    this.#remember(version, scenario)
    return scenario
  }

  /** The same; null if it was stored in a form that this version does not read. */
  async readable(order: Pick<Order, 'scenario'>): Promise<Scenario | null> {
    try {
      return await this.of(order)
    } catch (error) {
      if (error instanceof EmulatorError && error.code === 'scenario_outdated') return null
      throw error
    }
  }

  #remember(version: string, scenario: Scenario): void {
    this.#known.set(version, scenario)
    const [oldest] = this.#known.keys()
    if (this.#known.size > atHand && oldest !== undefined) this.#known.delete(oldest)
  }
}

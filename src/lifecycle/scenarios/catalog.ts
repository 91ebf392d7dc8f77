import type { Order, OrderKind } from '../../domain/order/order.ts'
import { type Scenario, scenarioFormat } from '../../domain/scenario/scenario.ts'
import { EmulatorError } from '../../domain/text/errors.ts'
import { nearest } from '../../domain/text/issue-words.ts'
import type { Store } from '../../store/store.ts'

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

/** A scenario that can be chosen, under the hash of its content. */
export interface CatalogScenario {
  readonly scenario: Scenario
  readonly version: string
  /** As it was written. */
  readonly text: string
  /** Where it came from: it ships, a file that was added, or `PUT /_emulator/scenarios/{id}`. */
  readonly from: 'built-in' | 'file' | 'put'
  /** null for what came over the control API. */
  readonly file: string | null
}

/** Scenarios of one origin. */
export interface ScenarioSource {
  ids(): Iterable<string>
  find(id: string): CatalogScenario | undefined
}

/** The scenarios that can be chosen by id. */
export class ScenarioCatalog {
  readonly #sources: readonly ScenarioSource[]

  /** @param sources of those that have the same id, the first one's holds */
  constructor(...sources: readonly ScenarioSource[]) {
    this.#sources = sources
  }

  ids(): string[] {
    return [...new Set(this.#sources.flatMap((source) => [...source.ids()]))].toSorted()
  }

  find(id: string): CatalogScenario | undefined {
    for (const source of this.#sources) {
      const found = source.find(id)
      if (found !== undefined) return found
    }
    return undefined
  }

  /** @throws scenario_unknown, with the nearest id */
  get(id: string): CatalogScenario {
    const found = this.find(id)
    if (found !== undefined) return found
    const near = this.nearest(id)
    throw new EmulatorError('scenario_unknown', {
      id,
      hint: near === undefined ? '' : ` Did you mean "${near}"?`,
    })
  }

  /** The id that a mistaken one probably meant.
   *  @param kind only of scenarios that serve this kind of order */
  nearest(id: string, kind?: OrderKind): string | undefined {
    const others = this.ids().filter((other) => other !== id)
    return nearest(id, kind === undefined ? others : others.filter((other) => this.serves(other, kind)))
  }

  /** Whether there is such a scenario and orders of this kind can follow it. */
  serves(id: string, kind: OrderKind): boolean {
    const kinds = this.find(id)?.scenario.for
    return kinds === null || kinds?.includes(kind) === true
  }
}

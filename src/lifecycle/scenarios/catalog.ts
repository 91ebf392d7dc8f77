import type { Order, OrderKind } from '../../domain/order/order.ts'
import { type Scenario, scenarioFormat } from '../../domain/scenario/scenario.ts'
import { EmulatorError } from '../../domain/text/errors.ts'
import { nearest } from '../../domain/text/issue-words.ts'
import type { Store } from '../../store/store.ts'

/** The number of cached versions: enough for those in use, even if each test uploads its own scenario. */
const atHand = 500

/** The scenario versions that running orders started with, so that editing a file disturbs no order. */
export class ScenarioVersions {
  readonly #store: Store
  readonly #known = new Map<string, Scenario>()

  constructor(store: Store) {
    this.#store = store
  }

  /** Stores a scenario version before the first order uses it. */
  async keep({ version, scenario }: CatalogScenario): Promise<void> {
    if (this.#known.has(version)) return
    const scenarioJson = JSON.stringify(scenario)
    await this.#store.saveScenarioVersion(version, { scenarioJson, format: scenarioFormat })
    this.#remember(version, scenario)
  }

  /** The scenario version of an order.
   *  @throws scenario_outdated
   *  @throws {Error} if the store lost it */
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

  /** The scenario version of an order; null if it is stored in a form that this version cannot read. */
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

/** A scenario that can be chosen, with the hash of its content. */
export interface CatalogScenario {
  readonly scenario: Scenario
  readonly version: string
  /** The source text of the scenario. */
  readonly text: string
  /** Where the scenario comes from: built in, an added file, or `PUT /_emulator/scenarios/{id}`. */
  readonly from: 'built-in' | 'file' | 'put'
  /** The path of the scenario's file; null for an uploaded scenario. */
  readonly file: string | null
}

/** A source of scenarios: built-in ones, added files, or uploaded ones. */
export interface ScenarioSource {
  ids(): Iterable<string>
  find(id: string): CatalogScenario | undefined
}

/** All scenarios that can be chosen by id. */
export class ScenarioCatalog {
  readonly #sources: readonly ScenarioSource[]

  /** @param sources the sources, in order of precedence */
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

  /** @throws scenario_unknown, whose message suggests the nearest id */
  get(id: string): CatalogScenario {
    const found = this.find(id)
    if (found !== undefined) return found
    const near = this.nearest(id)
    throw new EmulatorError('scenario_unknown', {
      id,
      hint: near === undefined ? '' : ` Did you mean "${near}"?`,
    })
  }

  /** Returns the id that a mistyped id probably meant.
   *  @param kind restricts it to scenarios for this kind of order */
  nearest(id: string, kind?: OrderKind): string | undefined {
    const others = this.ids().filter((other) => other !== id)
    return nearest(id, kind === undefined ? others : others.filter((other) => this.serves(other, kind)))
  }

  /** Whether a scenario exists and orders of this kind can follow it. */
  serves(id: string, kind: OrderKind): boolean {
    const kinds = this.find(id)?.scenario.for
    return kinds === null || kinds?.includes(kind) === true
  }
}

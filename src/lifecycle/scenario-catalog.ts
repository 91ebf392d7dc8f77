import { EmulatorError } from '../domain/errors.ts'
import { nearest } from '../domain/nearest.ts'
import type { OrderKind } from '../domain/order.ts'
import type { Scenario } from '../domain/scenario/scenario.ts'

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

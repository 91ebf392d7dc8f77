import type { Binding } from '../domain/decision.ts'
import type { OrderKind } from '../domain/order.ts'
import type { Selected } from '../domain/selection.ts'
import type { CatalogScenario, ScenarioCatalog } from './scenario-catalog.ts'

/** The scenario that a new order gets, what chose it, and a note for the journal on each selector passed over. */
export interface ChosenScenario {
  readonly found: CatalogScenario
  readonly why: string
  /** The planned choice that it takes, if one chose it. */
  readonly takes: Binding | undefined
  readonly notes: readonly string[]
}

/** Takes the first of the named scenarios that exists and serves this kind of order.
 *  @throws {Error} if not even `happy` is there (the package is broken) */
export function chooseScenario(
  named: readonly Selected[],
  kind: OrderKind,
  catalog: ScenarioCatalog,
  binding: Binding | null,
): ChosenScenario {
  const notes: string[] = []
  for (const { id, why } of named) {
    const found = catalog.find(id)
    if (found === undefined) {
      notes.push(unknownScenario(id, why, catalog.nearest(id)))
    } else if (found.scenario.for !== null && !found.scenario.for.includes(kind)) {
      notes.push(`scenario: ${why} names "${id}", which is for ${found.scenario.for.join(', ')}; ignored`)
    } else {
      return { found, why, takes: (why === 'next' ? binding : null) ?? undefined, notes }
    }
  }
  throw new Error('the built-in scenario "happy" is missing')
}

function unknownScenario(id: string, why: string, near: string | undefined): string {
  const hint = near === undefined ? '' : `; did you mean "${near}"?`
  return `scenario: ${why} names "${id}", which does not exist; ignored${hint}`
}

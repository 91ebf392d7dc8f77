import type { Client } from '../../domain/client/client.ts'
import type { NewOrder } from '../../domain/order/create.ts'
import type { Binding } from '../../domain/order/decision.ts'
import type { OrderKind } from '../../domain/order/order.ts'
import { pickedParts } from '../../domain/scenario/scenario.ts'
import { type Selected, type Selectors, selectScenario } from '../../domain/scenario/selection.ts'
import type { Store } from '../../store/store.ts'
import type { Clients } from '../clients.ts'
import type { SweepBehaviours } from '../sweep-behaviours.ts'
import type { CatalogScenario, ScenarioCatalog } from './catalog.ts'

/** The scenario of a new order, the reason for it, and a note for the request log on each ignored selector. */
export interface ChosenScenario {
  readonly found: CatalogScenario
  readonly why: string
  /** The planned scenario that the order uses up, if that was the reason. */
  readonly takes: Binding | undefined
  readonly notes: readonly string[]
}

/** The hints in a create call about the wanted scenario, beside the order itself. */
export interface ScenarioHints {
  readonly control?: string | null
  readonly header: string | null
  readonly metadata: string | null
}

/** The fields of a create call that may name a scenario. */
export interface CreateCall
  extends Pick<Selectors, 'email' | 'requestDescription' | 'userMessage' | 'fiatAmount'> {
  readonly requestId: string
  readonly kind: OrderKind
}

/** Returns the fields that select a scenario, for an order created over the control API. */
export const callOf = (order: NewOrder): CreateCall => ({
  requestId: order.requestId,
  kind: order.kind,
  email: order.email,
  fiatAmount: order.fiatAmount,
  requestDescription: order.request.requestDescription,
  userMessage: order.request.userMessage,
})

/** Chooses the scenario of a new order: by its create call, a plan of the test, or its client. */
export class ScenarioChooser {
  readonly #store: Store
  readonly #clients: Clients
  readonly #catalog: ScenarioCatalog
  readonly #seed: () => string
  readonly #behaviours: SweepBehaviours

  constructor(context: {
    store: Store
    clients: Clients
    catalog: ScenarioCatalog
    seed: () => string
    behaviours: SweepBehaviours
  }) {
    this.#store = context.store
    this.#clients = context.clients
    this.#catalog = context.catalog
    this.#seed = context.seed
    this.#behaviours = context.behaviours
  }

  /** Finds the scenario that a create call would get now, and uses up nothing yet. */
  async choose(client: Client, call: CreateCall, hints: ScenarioHints): Promise<ChosenScenario> {
    const { clientId, defaultScenario } = client
    const binding = await this.#store.bindingFor(clientId, call.requestId)
    const selectors = selectorsOf(call, hints, binding, defaultScenario)
    const named = selectScenario(selectors, this.#clients.settingsOf(clientId))
    const chosen = firstFitting(named, call.kind, this.#catalog, binding)
    const drawn = withDrawn(chosen, [this.#seed(), clientId, call.requestId])
    return { ...drawn, found: this.#behaviours.over(drawn.found) }
  }
}

/** All selectors that may name a scenario for a call. */
function selectorsOf(
  { email, requestDescription, userMessage, fiatAmount }: CreateCall,
  { control = null, header, metadata }: ScenarioHints,
  binding: Binding | null,
  clientDefault: string,
): Selectors {
  const next = binding?.scenario ?? null
  return {
    control,
    next,
    header,
    metadata,
    email,
    requestDescription,
    userMessage,
    fiatAmount,
    clientDefault,
  }
}

/** Takes the first named scenario that exists and serves this kind of order.
 *  @throws {Error} if even `happy` is missing (the package is broken) */
function firstFitting(
  named: readonly Selected[],
  kind: OrderKind,
  catalog: ScenarioCatalog,
  binding: Binding | null,
): ChosenScenario {
  const notes: string[] = []
  const hint = (id: string) => {
    const near = catalog.nearest(id, kind)
    return near === undefined ? '' : `; did you mean "${near}"?`
  }
  for (const { id, why } of named) {
    const found = catalog.find(id)
    if (found === undefined) {
      notes.push(`scenario: ${why} names "${id}", which does not exist; ignored${hint(id)}`)
    } else if (found.scenario.for !== null && !found.scenario.for.includes(kind)) {
      const others = found.scenario.for.join(', ')
      notes.push(`scenario: ${why} names "${id}", which is for ${others}; ignored${hint(id)}`)
    } else {
      return { found, why, takes: (why === 'next' ? binding : null) ?? undefined, notes }
    }
  }
  throw new Error('the built-in scenario "happy" is missing')
}

/** Adds a note with the random parts that an order gets.
 *  @param key the seed, clientId and requestId that decide the parts */
function withDrawn(
  chosen: ChosenScenario,
  key: readonly [seed: string, clientId: string, requestId: string],
): ChosenScenario {
  const { scenario } = chosen.found
  const drawn = pickedParts(scenario, key)
  if (drawn.length === 0) return chosen
  const names = drawn.map(({ name }) => name).join('; ')
  const note = `scenario: ${scenario.id} chose, by the seed "${key[0]}": ${names}`
  return { ...chosen, notes: [...chosen.notes, note] }
}

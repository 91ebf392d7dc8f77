import type { NewOrder } from '../domain/create.ts'
import type { Binding } from '../domain/decision.ts'
import type { OrderKind } from '../domain/order.ts'
import type { Selectors } from '../domain/selection.ts'
import type { CatalogScenario } from './scenario-catalog.ts'

/** The scenario that a new order gets, what chose it, and a note for the journal on each selector passed over. */
export interface ChosenScenario {
  readonly found: CatalogScenario
  readonly why: string
  /** The planned choice that it takes, if one chose it. */
  readonly takes: Binding | undefined
  readonly notes: readonly string[]
}

/** What a create call says about its scenario beside the order itself. */
export interface ScenarioHints {
  readonly control?: string | null
  readonly header: string | null
  readonly metadata: string | null
}

/** What of a create call may name a scenario. */
export interface CreateCall
  extends Pick<Selectors, 'email' | 'requestDescription' | 'userMessage' | 'fiatAmount'> {
  readonly requestId: string
  readonly kind: OrderKind
}

/** The same of an order that is wanted. */
export const callOf = (order: NewOrder): CreateCall => ({
  requestId: order.requestId,
  kind: order.kind,
  email: order.email,
  fiatAmount: order.fiatAmount,
  requestDescription: order.request.requestDescription,
  userMessage: order.request.userMessage,
})

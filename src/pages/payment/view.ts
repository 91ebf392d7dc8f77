import type { Settings } from '../../domain/choices/settings.ts'
import type { ErrorReason, Order } from '../../domain/order/order.ts'
import { type PageState, pageState } from '../../domain/order/payer-page.ts'
import { returnUrl } from '../../domain/order/payment-urls.ts'
import { errorReason, knownErrorCodes } from '../../domain/order/statuses.ts'
import type { EpochMs } from '../../domain/text/time.ts'
import type { Lifecycle } from '../../lifecycle/lifecycle.ts'
import type { Store } from '../../store/store.ts'
import type { Scheduler } from '../../time/scheduler.ts'
import { type Language, languageOf, numberText } from './language.ts'

/** What the page of an order is made of. */
export interface PageView {
  readonly order: Order
  readonly state: PageState
  readonly language: Language
  readonly clock: ClientClock
  /** The codes with which a payment can be declined. */
  readonly codes: readonly ErrorReason[]
  /** Where the payer goes afterwards (R41). */
  readonly back: string | null
  /** The payer has chosen something that was not possible any more. */
  readonly isTooLate: boolean
}

/** How a client's time passes. */
export interface ClientClock {
  readonly now: EpochMs
  /** Seconds in a second of the wall; 0 stands still. */
  readonly speed: number
}

/** What views read from. */
export interface ViewSources {
  readonly store: Store
  readonly lifecycle: Lifecycle
  readonly scheduler: Scheduler
}

/** Collects what the page of an order shows. @throws client_unknown, if its world has just ended */
export async function viewOf(
  order: Order,
  sources: ViewSources,
  { isTooLate = false } = {},
): Promise<PageView> {
  return {
    order,
    state: await stateOf(order, sources),
    language: languageOf(order.request.lang),
    clock: clockOf(order, sources),
    codes: declineCodes(await sources.lifecycle.settingsOf(order)),
    back: returnUrl(order),
    isTooLate,
  }
}

/** The state of an order's page at its client's now. @throws client_unknown */
export async function stateOf(order: Order, { store, scheduler }: ViewSources): Promise<PageState> {
  const { orderId, clientId } = order
  const past = (await store.pastsOf([orderId])).get(orderId)
  return pageState(order, past?.history ?? [], scheduler.now(clientId))
}

/** How the time of an order's client passes. @throws client_unknown */
export function clockOf({ clientId }: Order, { scheduler }: ViewSources): ClientClock {
  return { now: scheduler.now(clientId), speed: scheduler.clockState(clientId).speed }
}

/** How the time of the client passes, in words; empty where it passes like everybody's. */
export function paceText({ speed }: ClientClock, language: Language): string {
  if (speed === 1) return ''
  return speed === 0 ? language.words.clockStands : language.words.clockRuns(numberText(speed, language))
}

/** An app is opened by a click only: a browser stays on the page then, and would be sent again and again. */
export const leadsToWeb = (back: string | null): back is string => back !== null && /^https?:/i.test(back)

/** The page as a payer asks for it who waits, and is to be sent back when the order has ended; seen from the page. */
export const waitingPath = ({ token }: Pick<Order, 'token'>): string => `${token}?waiting`

/** All codes of the catalogue but the one of create calls. */
function declineCodes(settings: Settings): ErrorReason[] {
  return knownErrorCodes(settings)
    .filter((code) => code !== '7001')
    .map((code) => errorReason(code, settings))
}

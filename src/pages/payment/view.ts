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

/** The data of a payment page. */
export interface PageView {
  readonly order: Order
  readonly state: PageState
  readonly language: Language
  readonly clock: ClientClock
  /** The error codes with which a payment can be declined. */
  readonly codes: readonly ErrorReason[]
  /** The URL to which the payer returns (R41); null without one. */
  readonly back: string | null
  /** Whether the payer's choice came too late. */
  readonly isTooLate: boolean
}

/** The time and speed of a client's clock. */
export interface ClientClock {
  readonly now: EpochMs
  /** The speed of the clock; 0 for a manual clock. */
  readonly speed: number
}

/** The parts of the emulator that payment pages read. */
export interface ViewSources {
  readonly store: Store
  readonly lifecycle: Lifecycle
  readonly scheduler: Scheduler
}

/** Collects the data of a payment page.
 *  @throws client_unknown if the client was just removed */
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

/** The state of an order's page at the client's present time.
 *  @throws client_unknown */
export async function stateOf(order: Order, { store, scheduler }: ViewSources): Promise<PageState> {
  const { orderId, clientId } = order
  const past = (await store.pastsOf([orderId])).get(orderId)
  return pageState(order, past?.history ?? [], scheduler.now(clientId))
}

/** Returns the time and speed of the clock of an order's client.
 *  @throws client_unknown */
export function clockOf({ clientId }: Order, { scheduler }: ViewSources): ClientClock {
  return { now: scheduler.now(clientId), speed: scheduler.clockState(clientId).speed }
}

/** The pace of the client's clock in words; empty for a normal one. */
export function paceText({ speed }: ClientClock, language: Language): string {
  if (speed === 1) return ''
  return speed === 0 ? language.words.clockStands : language.words.clockRuns(numberText(speed, language))
}

/** Whether a URL leads to the web. An app opens by a click only: the browser would stay on the page, and be
 *  redirected again and again. */
export const leadsToWeb = (back: string | null): back is string => back !== null && /^https?:/i.test(back)

/** The address of the page for a payer who waits and returns to the shop at the end; relative to the page. */
export const waitingPath = ({ token }: Pick<Order, 'token'>): string => `${token}?waiting`

/** All codes of the catalogue except the one of create calls. */
function declineCodes(settings: Settings): ErrorReason[] {
  return knownErrorCodes(settings)
    .filter((code) => code !== '7001')
    .map((code) => errorReason(code, settings))
}

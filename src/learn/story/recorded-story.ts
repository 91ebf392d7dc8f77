import {
  effectiveSettings,
  layered,
  type Settings,
  type SettingsOverlay,
} from '../../domain/choices/settings.ts'
import { rehearse } from '../../domain/explain/rehearse.ts'
import { roundedMs } from '../../domain/keep/kept-time.ts'
import type { RecordedLife, RecordedOrder } from '../../domain/keep/recorded-life.ts'
import type { HistoryEntry, Order, OrderKind, OrderRequest } from '../../domain/order/order.ts'
import { errorReason } from '../../domain/order/statuses.ts'
import { calendarOf, chargeDate } from '../../domain/order/subscription.ts'
import type { Effect, Scenario, WebhookRule } from '../../domain/scenario/scenario.ts'
import { formatDuration } from '../../domain/text/duration.ts'
import { isMapping } from '../../domain/text/objects.ts'
import type { EpochMs } from '../../domain/text/time.ts'
import type { Call, Evidence, SeenOrder } from '../evidence/evidence.ts'
import type { Masker } from '../mask.ts'
import { type About, afterCreation, deliveriesOf, usualDelivery } from './recorded-deliveries.ts'
import { readCalls, type SeenCalls } from './seen-calls.ts'
import {
  cryptoChanges,
  inOrder,
  refundChanges,
  type StatusChange,
  statusChanges,
  statusEffect,
  textOf,
  viewsOf,
} from './seen-changes.ts'
import { blank, historyOf } from './seen-history.ts'
import { messagesOf } from './seen-messages.ts'
import type { Message } from './sendings.ts'

/** What a capture shows of one order, in the form in which the emulator records its own orders. */
export interface RecordedStory {
  readonly life: RecordedLife
  readonly kind: OrderKind
  readonly calls: SeenCalls
  readonly notes: readonly string[]
}

/** Reconstructs the record of an order from what the application saw.
 *  @param overlay the settings of the account, as far as they are known */
export function recordedStory(
  seen: SeenOrder,
  evidence: Evidence,
  { masker, overlay }: { masker: Masker; overlay: SettingsOverlay },
): RecordedStory {
  return new Reconstruction(seen, evidence, masker, overlay).story()
}

class Reconstruction {
  readonly #seen: SeenOrder
  readonly #evidence: Evidence
  readonly #masker: Masker
  readonly #overlay: SettingsOverlay
  readonly #settings: Settings
  readonly #notes: string[] = []
  readonly #messages: readonly Message[]
  readonly #calls: SeenCalls
  readonly #kind: OrderKind
  readonly #orderIds: readonly string[]
  readonly #aheadMs: number

  constructor(seen: SeenOrder, evidence: Evidence, masker: Masker, overlay: SettingsOverlay) {
    this.#seen = seen
    this.#evidence = evidence
    this.#masker = masker
    const settings = effectiveSettings(overlay)
    const read = messagesOf(seen, evidence, settings)
    this.#messages = read.messages
    this.#notes.push(...read.notes)
    this.#calls = readCalls(seen, {
      all: this.#allCalls(),
      firstSeen: Math.min(...this.#messages.map(({ sendings: [{ attempts }] }) => attempts[0].at)),
      masker,
    })
    this.#kind = this.#kindOf(settings)
    this.#aheadMs = Math.round(this.#aheadOf(settings))
    this.#overlay = layered(overlay, this.#ownSettings(settings))
    this.#settings = effectiveSettings(this.#overlay)
    this.#orderIds = this.#orderIdsSeen()
  }

  story(): RecordedStory {
    const { createdAt } = this.#calls
    const [firstId = 'unknown', ...later] = this.#orderIds
    const first = this.#firstOrder(firstId)
    const charges = later.map((orderId, index) => this.#charge(orderId, index + 2, first.order))
    const life: RecordedLife = {
      orders: [first.recorded, ...charges],
      scenario: first.scenario,
      settings: this.#overlay,
      seed: 'story',
      nowMs: Math.max(this.#evidence.until, createdAt),
    }
    return { life, kind: this.#kind, calls: this.#calls, notes: [...this.#calls.notes, ...this.#notes] }
  }

  #allCalls(): Call[] {
    const { clientId, requestId } = this.#seen
    return this.#evidence.calls.filter((call) => call.requestId === requestId && call.clientId === clientId)
  }

  #kindOf(settings: Settings): OrderKind {
    const { creates, lookups } = this.#seen
    const [create] = creates
    if (create !== undefined)
      return create.operation === 'create-subscription-order' ? 'subscription' : 'checkout'
    const types = [
      ...this.#messages.map(({ event }) => event?.orderType),
      ...lookups.flatMap(({ records }) => records.map(({ orderType }) => orderType)),
    ]
    if (types.includes('PAYOUT')) return 'payout'
    return types.includes(settings['orders.cryptoPayinType']) && !types.includes('CHECKOUT')
      ? 'crypto-payin'
      : 'checkout'
  }

  /** Settings that this order shows by itself. */
  #ownSettings(settings: Settings): SettingsOverlay {
    const types = new Set(
      this.#messages.flatMap(({ event }) => (event?.orderStatus && event.orderType) || []),
    )
    const offer = this.#seen.answer.offerInfoData
    const expiryTs = isMapping(offer) && 'expiryTs' in offer ? textOf(offer.expiryTs) : null
    const offset = /[+-]\d\d:\d\d$/.exec(expiryTs ?? '')?.[0]
    const lifeMs = this.#toCapture(this.#expiresAt()) - this.#calls.createdAt
    const isUsual = Number.isNaN(lifeMs) || Math.abs(lifeMs - settings['orders.expiry']) < 5_000
    return {
      ...(types.size === 2 && this.#kind !== 'crypto-payin' && { 'webhook.legs': 'both' }),
      ...(offset !== undefined && offset !== settings['time.offset'] && { 'time.offset': offset }),
      ...(!isUsual && lifeMs >= 1_000 && { 'orders.expiry': formatDuration(roundedMs(lifeMs)) }),
    }
  }

  /** Maps a time of the service to the clock of the capture. */
  readonly #toCapture = (at: EpochMs): EpochMs => at - this.#aheadMs

  /** How far the times in records and answers are ahead of the clock of the capture. The `Date` headers say it, unless
   *  the first record contradicts them: a service under test may run on another clock than its answers. */
  #aheadOf(settings: Settings): number {
    const [call] = this.#allCalls()
    const said = call === undefined ? 0 : this.#evidence.serviceAhead(call.source)
    const first = this.#seen.lookups
      .flatMap(({ call, records }) => records.map(({ updatedTs }) => ({ at: call.at, updatedTs })))
      .find(({ updatedTs }) => typeof updatedTs === 'number')
    const { createdAt } = this.#calls
    if (first === undefined) {
      const lifeMs = this.#expiresAt() - createdAt - settings['orders.expiry']
      return Math.abs(lifeMs - said) < Math.abs(lifeMs) ? said : 0
    }
    const at = Number(first.updatedTs) - said
    return at >= createdAt - 60_000 && at <= first.at + 60_000 ? said : 0
  }

  /** When the order ends by the answer to its create call; NaN if that does not say it. */
  #expiresAt(): EpochMs {
    const offer = this.#seen.answer.offerInfoData
    return isMapping(offer) && 'expiryTs' in offer ? Date.parse(String(offer.expiryTs)) : Number.NaN
  }

  /** The orders of the requestId, one for each charge, in the order of their first sight. */
  #orderIdsSeen(): string[] {
    const { lookups } = this.#seen
    const sights = [
      ...this.#messages.flatMap(({ event, isForged, sendings: [{ attempts }] }) =>
        event?.orderId === undefined || isForged ? [] : [{ id: event.orderId, at: attempts[0].at }],
      ),
      ...lookups.flatMap(({ call, records }) =>
        records.flatMap(({ orderId }) => (typeof orderId === 'string' ? [{ id: orderId, at: call.at }] : [])),
      ),
    ]
    const ids = [...new Set(sights.toSorted((a, b) => a.at - b.at).map(({ id }) => id))]
    if (this.#kind === 'subscription' || ids.length < 2) return ids
    const listed = ids.filter((id) => this.#seen.orderIds.has(id))
    const [first] = listed.length > 0 ? listed : ids
    return first === undefined ? [] : [first]
  }

  #messagesAbout(orderId: string, isFirst: boolean): Message[] {
    return this.#messages.filter(({ event }) =>
      isFirst
        ? event?.orderId === undefined || event.orderId === orderId || !this.#orderIds.includes(event.orderId)
        : event?.orderId === orderId,
    )
  }

  #reported(messages: readonly Message[]) {
    return messages.flatMap(({ event, isForged, sendings: [{ attempts }] }) =>
      event?.orderStatus === undefined || event.refundId !== undefined || isForged
        ? []
        : [{ status: event.orderStatus, at: attempts[0].at, errorCode: event.errorCode ?? null }],
    )
  }

  #firstOrder(orderId: string): { order: Order; recorded: RecordedOrder; scenario: Scenario } {
    const { createdAt, answers } = this.#calls
    const { lookups } = this.#seen
    const operation = this.#kind === 'crypto-payin' ? 'crypto-orders' : 'orders'
    const views = viewsOf(lookups, operation, orderId)
    const cryptoViews = viewsOf(lookups, 'crypto-orders', orderId).filter(
      ({ at, record }) => record !== null || at > createdAt,
    )
    const skewMs = this.#skewOf([...views, ...cryptoViews])
    const toCapture = (at: EpochMs) => this.#toCapture(at) - skewMs
    const messages = this.#messagesAbout(orderId, true)
    const isSeenByFiat = views.some(({ record }) => record !== null)
    const statusViews = isSeenByFiat || operation === 'crypto-orders' ? views : cryptoViews
    const base = { settings: this.#settings, createdAt, toCapture }
    const statuses = statusChanges(statusViews, this.#reported(messages), base)
    const isOwn = this.#kind === 'crypto-payin' || !isSeenByFiat
    const crypto = cryptoChanges(cryptoViews, statuses, { createdAt, isOwn, toCapture })
    const updates = [...views, ...cryptoViews]
      .flatMap(({ record }) => (typeof record?.updatedTs === 'number' ? toCapture(record.updatedTs) : []))
      .toSorted((a, b) => a - b)
    const refunds = refundChanges(lookups, { settings: this.#settings, updates })
    const metadata = this.#metadataShown(cryptoViews)
    const order = this.#order(orderId, statuses, crypto.paidAt)
    const anchor = order.subscription?.anchor ?? null
    const charged = anchor === null ? undefined : statuses.find(({ at }) => at >= anchor)
    const paidAt = this.#payTime(order, statuses, crypto.paidAt)
    const pay: Effect = { do: 'pay', outcome: 'completed', errorCode: null }
    const changes = inOrder([
      ...(paidAt === null ? [] : [{ at: paidAt, effects: [pay] }]),
      ...statuses
        .filter((each) => each !== charged)
        .map((each) => ({ at: each.at, effects: [statusEffect(each)] })),
      ...crypto.changes,
      ...refunds,
    ])
    const scenario: Scenario = {
      ...blank,
      timeline: changes.map(({ at, effects }) => ({
        when: { since: 'creation', offsetMs: at - createdAt },
        effects,
      })),
      charges:
        anchor === null
          ? []
          : [{ from: 1, to: null, status: 'COMPLETED', errorCode: null, afterMs: 0, recurs: true }],
      begin:
        (crypto.crypto ?? metadata ?? (skewMs || null)) === null
          ? null
          : { crypto: crypto.crypto, updatedTsSkewMs: skewMs, metadata },
      webhooks: this.#earlyRules(messages),
      answers,
    }
    const history = historyOf(changes, createdAt, charged)
    return { order, scenario, recorded: this.#recorded(order, history, messages, statuses) }
  }

  /** A later charge of a subscription: an order of its own. */
  #charge(orderId: string, charge: number, first: Order): RecordedOrder {
    const messages = this.#messagesAbout(orderId, false)
    const views = viewsOf(this.#seen.lookups, 'orders', orderId)
    const anchor = first.subscription?.anchor ?? null
    const planned = anchor === null ? null : chargeDate(anchor, charge, calendarOf(first, this.#settings))
    const sights = [
      ...messages.map(({ sendings: [{ attempts }] }) => attempts[0].at),
      ...views.flatMap(({ at, record }) => (record === null ? [] : [at])),
    ]
    const firstSight = Math.min(...sights)
    const createdAt = planned !== null && planned <= firstSight ? planned : firstSight
    if (planned !== null && Math.abs(planned - firstSight) > 5_000 && messages.length > 0)
      this.#notes.push(
        `Charge ${charge} came ${afterCreation(firstSight, first.createdAt)}, not on its usual date.`,
      )
    const reported = this.#reported(messages)
    const base = { settings: this.#settings, createdAt, toCapture: this.#toCapture }
    const statuses = statusChanges(views, reported, base)
    const last = statuses.at(-1)
    const order: Order = {
      ...first,
      ...{ orderId: this.#masker.mask(orderId), charge, createdAt, subscription: null },
      orderStatus: last?.status ?? 'CREATED',
      errorReason: this.#reasonOf(last),
    }
    const entries = statuses.map(({ at, status }) => ({ at, what: 'order', to: status }))
    const history = [{ at: createdAt, what: 'created', to: 'CREATED' }, ...entries]
    return this.#recorded(order, history, messages, statuses)
  }

  #recorded(
    order: Order,
    history: readonly HistoryEntry[],
    messages: readonly Message[],
    statuses: readonly StatusChange[],
  ): RecordedOrder {
    const { clientId, requestId, orderId, createdAt } = order
    const orderType =
      this.#kind === 'payout'
        ? 'PAYOUT'
        : this.#kind === 'crypto-payin'
          ? this.#settings['orders.cryptoPayinType']
          : 'CHECKOUT'
    const hasBothLegs = this.#settings['webhook.legs'] === 'both'
    const about: About = {
      ...{ clientId, requestId, orderId, createdAt },
      ...{ orderType, hasBothLegs, statuses, masker: this.#masker },
    }
    const deliveries = deliveriesOf(messages, about)
    if (this.#evidence.webhooks.length > 0) return { order, history, deliveries }
    if (order.charge === 1)
      this.#notes.push('The capture has no webhooks. The file sends them when the order changes.')
    const usual = [{ at: createdAt, status: 'CREATED' }, ...statuses]
    return {
      order,
      history,
      deliveries: usual.map(({ at, status }, n) => usualDelivery(about, { at, status, n })),
    }
  }

  /** An early first webhook did not wait for the answer of the create call. */
  #earlyRules(messages: readonly Message[]): WebhookRule[] {
    const { createdAt, answeredAt } = this.#calls
    const created = messages.find(({ event, isForged }) => event?.orderStatus === 'CREATED' && !isForged)
    const at = created?.sendings[0].attempts[0].at
    if (at === undefined || at >= answeredAt - 750) return []
    const delayMs = roundedMs(at - createdAt)
    return [{ of: 'CREATED', early: true, ...(delayMs >= 100 && { delayMs }) }]
  }

  /** How far `updatedTs` is from the time at which the order changed. */
  #skewOf(views: readonly { at: EpochMs; record: Readonly<Record<string, unknown>> | null }[]): number {
    const { createdAt } = this.#calls
    const first = views.find(({ record }) => typeof record?.updatedTs === 'number')
    const updatedTs = first?.record?.updatedTs
    if (first === undefined || typeof updatedTs !== 'number') return 0
    const at = this.#toCapture(updatedTs)
    const isPossible = at >= createdAt - 60_000 && at <= first.at + 60_000
    const skewMs = Math.round((at - createdAt) / 1_000) * 1_000
    // Further away, it is a number of another kind: seconds, for example.
    return isPossible || Math.abs(skewMs) > 86_400_000 ? 0 : skewMs
  }

  /** Metadata that the crypto lookup shows instead of what the application sent, as JSON; null for none. */
  #metadataShown(views: readonly { record: Readonly<Record<string, unknown>> | null }[]): string | null {
    const shown = views.find(({ record }) => record !== null)?.record?.metadata
    const sent = this.#seen.request.metadata
    if (!isMapping(shown) || JSON.stringify(shown) === JSON.stringify(sent ?? {})) return null
    return JSON.stringify(this.#masker.maskJson(shown))
  }

  /** When the payer paid: as the crypto lookup shows it, or before the charges of a subscription. */
  #payTime(order: Order, statuses: readonly StatusChange[], paidAt: EpochMs | null): EpochMs | null {
    const anchor = order.subscription?.anchor ?? null
    if (anchor !== null) {
      const { trialPeriodDays } = order.request
      return Math.max(order.createdAt, anchor - Number(trialPeriodDays ?? 0) * 86_400_000)
    }
    const done = statuses.find(({ status }) => status === 'COMPLETED')
    // A completed order is paid, whether that is said or not.
    return paidAt !== null && (done === undefined || paidAt < done.at) ? paidAt : null
  }

  #order(orderId: string, statuses: readonly StatusChange[], paidAt: EpochMs | null): Order {
    const { createdAt } = this.#calls
    const { request, clientId, requestId } = this.#seen
    const fiatAmount = textOf(request.fiatAmount) ?? ''
    const { order } = rehearse(
      { ...blank, clock: createdAt },
      {
        kind: this.#kind,
        ...(/^\d{1,30}(\.\d{1,2})?$/.test(fiatAmount) && { fiatAmount }),
        request: this.#requestOf(),
        until: createdAt,
        settings: [this.#overlay],
      },
    )
    const last = statuses.at(-1)
    const known: Order = {
      ...order,
      orderId: this.#masker.mask(orderId),
      requestId: this.#masker.mask(requestId),
      clientId: this.#masker.mask(clientId ?? 'unknown'),
      createdAt,
      expiresAt: createdAt + this.#settings['orders.expiry'],
      orderStatus: last?.status ?? 'CREATED',
      errorReason: this.#reasonOf(last),
    }
    if (this.#kind !== 'subscription') return known
    const anchor = this.#anchorOf(known, statuses, paidAt)
    const second = anchor === null ? null : chargeDate(anchor, 2, calendarOf(known, this.#settings))
    return { ...known, subscription: { anchor, second, next: 1, nextAt: null, cancelled: false } }
  }

  #reasonOf(last: StatusChange | undefined) {
    if (last?.status !== 'FAILED') return null
    return errorReason(last.errorCode ?? '9004', this.#settings)
  }

  #requestOf(): OrderRequest {
    const { mode, interval, trialPeriodDays } = this.#seen.request
    const days = textOf(trialPeriodDays)
    const isSubscription = this.#kind === 'subscription'
    return {
      ...((mode === 'returnUrl' || mode === 'returnAppUrl') && { mode }),
      ...(isSubscription && { interval: textOf(interval) ?? 'MONTHLY' }),
      ...(isSubscription && days !== null && /^\d{1,3}$/.test(days) && { trialPeriodDays: days }),
    }
  }

  /** The date of the first charge of a subscription: the payment or the end of the first charge, whichever the second
   *  charge follows by an interval. */
  #anchorOf(order: Order, statuses: readonly StatusChange[], paidAt: EpochMs | null): EpochMs | null {
    const [ended] = statuses
    const candidates = [paidAt, ended?.at ?? null].filter((at) => at !== null)
    const [, secondId] = this.#orderIds
    const second = this.#messages.find(({ event }) => event?.orderId === secondId && secondId !== undefined)
    const secondAt = second?.sendings[0].attempts[0].at
    const calendar = calendarOf(order, this.#settings)
    const fitting = candidates.find(
      (at) => secondAt !== undefined && Math.abs((chargeDate(at, 2, calendar) ?? 0) - secondAt) < 5_000,
    )
    const anchor = fitting ?? ended?.at ?? null
    // A record changes a millisecond later than another change of the same time.
    return anchor !== null && ended !== undefined && Math.abs(anchor - ended.at) < 100
      ? Math.min(anchor, ended.at)
      : anchor
  }
}

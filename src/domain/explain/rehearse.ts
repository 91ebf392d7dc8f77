import type { Settings, SettingsOverlay } from '../choices/settings.ts'
import { effectiveSettings } from '../choices/settings.ts'
import type { Client } from '../client/client.ts'
import { create, type NewOrder } from '../order/create.ts'
import type { Decision, DecisionContext } from '../order/decision.ts'
import { nextThing, plannedSteps, stepsOf } from '../order/next-steps.ts'
import type { HistoryEntry, LookupName, Order, OrderKind, OrderRequest } from '../order/order.ts'
import { isTerminal } from '../order/statuses.ts'
import { carryOut, lookUp, pay } from '../order/steps.ts'
import { rulesFor, verdictOf } from '../scenario/answer-rules.ts'
import { type Scenario, versionOf } from '../scenario/scenario.ts'
import { addDuration } from '../text/duration.ts'
import type { EpochMs } from '../text/time.ts'
import type { NewDelivery } from '../webhook/delivery.ts'

/** An act that a scenario waits for, and that is assumed to happen. */
export type AssumedAct =
  | { readonly who: 'payer'; readonly at: EpochMs }
  | {
      readonly who: 'lookup'
      readonly at: EpochMs
      readonly lookup: LookupName
      /** The number of the lookup that the rehearsal assumes, from 1. */
      readonly n: number
    }

/** How long a rehearsal assumes that a payer takes to pay. */
const payerTakesMs = 60_000
/** The assumed interval of the application's lookups. */
const lookupEveryMs = 10_000

/** The assumed next act if the scenario waits for one: a payer pays after a minute (or as the scenario says), the
 *  application looks the order up every ten seconds.
 *  @param since the time of the order's last change */
function assumedAct(order: Order, scenario: Scenario, since: EpochMs): AssumedAct | null {
  const step = plannedSteps(order, scenario)[order.nextStep]
  if (step === undefined) return null
  const pays = step.effects.some((effect) => effect.do === 'pay')
  if (step.waitsFor === 'payer' || (order.waitsForPayer && pays)) {
    if (order.paidAt !== null || isTerminal(order.orderStatus)) return null
    return { who: 'payer', at: step.dueAt ?? since + payerTakesMs }
  }
  const when = stepsOf(order, scenario)[order.nextStep]?.when
  if (when === undefined || !('on' in when) || when.on !== 'lookup' || order.lookups === null) return null
  const counts = Object.values(order.lookups)
  const n = counts.reduce((sum, count) => sum + count, 0) + 1
  const lookup = when.of ?? (order.kind === 'crypto-payin' ? 'crypto-orders' : 'orders')
  return { who: 'lookup', at: since + lookupEveryMs, lookup, n }
}

/** The assumed time-out of a caller without an answer. */
const callerWaitsMs = 60_000

/** The delay of the create call's answer; the first webhook waits for that.
 *  @param key the seed, clientId and requestId of the order */
function answerHeldMs(
  scenario: Scenario,
  kind: OrderKind,
  key: readonly [seed: string, clientId: string, requestId: string],
): number {
  if (kind === 'payout' || kind === 'crypto-payin') return 0
  const operation = kind === 'subscription' ? 'create-subscription-order' : 'create-checkout-order'
  const rules = rulesFor(scenario, { operation, when: 'stored' }, key)
  const effect = rules.find(({ rule }) => verdictOf(rule, null, 0) === 'answers')?.rule.effect
  if (effect === undefined) return 0
  return effect.delayMs + (effect.leaves === 'never' ? (effect.closedAfterMs ?? callerWaitsMs) : 0)
}

/** The properties of the order that shows a scenario. */
export interface RehearsalOptions {
  /** The kind of the sample order; default: the first kind of the scenario. */
  readonly kind?: OrderKind | undefined
  readonly fiatAmount?: string | undefined
  /** The fields of its create call; default: a monthly interval for a subscription. */
  readonly request?: OrderRequest | undefined
  /** The time at which the rehearsal ends; default: after `rehearsalBounds.months`. */
  readonly until?: EpochMs | undefined
  readonly seed?: string | undefined
  /** Overlays of the default settings, before the scenario's own. */
  readonly settings?: readonly SettingsOverlay[] | undefined
}

/** An event of a rehearsed order, with everything that its commit would write. */
export interface RehearsedEvent {
  readonly at: EpochMs
  readonly orderId: string
  /** The number of the charge; above 1 for a subscription's later charges. */
  readonly charge: number
  /** The act behind the event: of the payer, or a lookup by the application. */
  readonly act: AssumedAct | null
  readonly history: readonly HistoryEntry[]
  /** The order's error code after the event. */
  readonly errorCode: string | null
}

/** A webhook that would be sent. */
export interface RehearsedWebhook {
  /** The time of the webhook's first attempt. */
  readonly at: EpochMs
  /** Whether the webhook would be sent; false if no URL is registered at that time (N48). */
  readonly sent: boolean
  readonly orderId: string
  readonly charge: number
  readonly delivery: NewDelivery
}

/** The whole lifecycle of an order under a scenario, until nothing more happens. */
export interface Rehearsal {
  readonly order: Order
  readonly seed: string
  readonly timelineEvents: readonly RehearsedEvent[]
  /** The webhooks in the order of their first attempts. */
  readonly webhooks: readonly RehearsedWebhook[]
  /** The bound that ended the rehearsal early; null if nothing follows. */
  readonly cut: 'months' | 'steps' | null
}

/** The limits at which a rehearsal ends. */
export const rehearsalBounds = { months: 14, steps: 10_000 } as const

const defaultStart: EpochMs = Date.UTC(2026, 0, 15, 12)

/** Runs a scenario on a sample order from one due time to the next, without clock, store or network. Acts of a payer
 *  or lookups are assumed (see `assumedAct`). */
export function rehearse(scenario: Scenario, options: RehearsalOptions = {}): Rehearsal {
  const run = new Run(scenario, options)
  let steps = 0
  for (let next = run.next(); next !== null; next = run.next()) {
    if (next.at > run.until) return run.result('months')
    if (steps++ === rehearsalBounds.steps) return run.result('steps')
    run.carryOut(next)
  }
  return run.result(null)
}

/** The next event among all orders of the rehearsal. */
interface Next {
  readonly at: EpochMs
  readonly order: Order
  readonly act: AssumedAct | null
}

class Run {
  readonly #scenario: Scenario
  readonly #settings: Settings
  readonly #seed: string
  readonly #orders = new Map<string, { order: Order; since: EpochMs }>()
  readonly #happenings: RehearsedEvent[] = []
  readonly #webhooks: Omit<RehearsedWebhook, 'sent'>[] = []
  /** Orders with a webhook that waits for the answer of the create call. */
  readonly #awaiting = new Set<string>()
  /** The client's webhook URLs over time, which a scenario can change. */
  readonly #urls: { from: EpochMs; url: string | null }[] = []
  #client: Client
  #nowMs: EpochMs
  readonly #first: Order
  readonly #answeredAt: EpochMs
  readonly until: EpochMs

  constructor(scenario: Scenario, options: RehearsalOptions) {
    const { kind, seed, settings = [] } = options
    this.#scenario = scenario
    this.#settings = effectiveSettings(...settings, scenario.settings)
    this.#seed = seed ?? 'explain'
    this.#nowMs = scenario.clock ?? defaultStart
    this.#client = sampleClient(this.#nowMs)
    this.until = options.until ?? addDuration(this.#nowMs, `P${rehearsalBounds.months}M`) ?? this.#nowMs
    const wanted = sampleOrder(kind ?? scenario.for?.[0] ?? 'checkout', options)
    const key = [this.#seed, this.#client.clientId, wanted.requestId] as const
    this.#answeredAt = this.#nowMs + answerHeldMs(scenario, wanted.kind, key)
    const choice = { id: scenario.id, why: 'explain', version: versionOf(scenario) }
    const created = create(wanted, { isCalled: true, choice }, this.#context())
    this.#first = created.order
    this.#keep(created, null)
  }

  /** The earliest of due steps and assumed acts; at the same time, due steps first. */
  next(): Next | null {
    const things = [...this.#orders.values()].flatMap(({ order, since }): Next[] => {
      const due = nextThing(order, this.#scenario)?.dueAt
      const act = assumedAct(order, this.#scenario, since)
      return [
        ...(due === undefined ? [] : [{ at: due, order, act: null }]),
        ...(act === null ? [] : [{ at: act.at, order, act }]),
      ]
    })
    return things.reduce<Next | null>(
      (first, thing) => (first === null || thing.at < first.at ? thing : first),
      null,
    )
  }

  carryOut({ at, order, act }: Next): void {
    this.#nowMs = Math.max(this.#nowMs, at)
    const decision = this.#decide(order, act)
    if (decision === null) throw new Error(`order ${order.orderId} is due at ${at}, but has no step`)
    this.#keep(decision, act)
  }

  result(cut: Rehearsal['cut']): Rehearsal {
    return {
      order: this.#first,
      seed: this.#seed,
      timelineEvents: this.#happenings,
      webhooks: this.#webhooks
        .map((webhook) => ({ ...webhook, sent: this.#isSent(webhook) }))
        .toSorted((a, b) => a.at - b.at),
      cut,
    }
  }

  #decide(order: Order, act: AssumedAct | null): Decision | null {
    if (act === null) return carryOut(order, this.#context())
    return act.who === 'payer'
      ? pay(order, { outcome: 'completed' }, this.#context())
      : lookUp(order, act.lookup, this.#context())
  }

  #keep(decision: Decision, act: AssumedAct | null): void {
    const { order, history, events, client, opens } = decision
    this.#orders.set(order.orderId, { order, since: this.#nowMs })
    if (client !== undefined) this.#client = { ...this.#client, ...client }
    this.#urls.push({ from: this.#nowMs, url: this.#client.webhookUrl })
    const { orderId, charge } = order
    const errorCode = order.errorReason?.errorCode ?? null
    this.#happenings.push({ at: this.#nowMs, orderId, charge, act, history, errorCode })
    for (const delivery of events) {
      if (delivery.dueAt === null) this.#awaiting.add(orderId)
      this.#webhooks.push({ at: this.#leavesAt(delivery), orderId, charge, delivery })
    }
    if (opens !== undefined) this.#keep(opens, null)
  }

  /** The time at which a webhook leaves: after the answer of the create call if it waits for that, and after earlier
   *  ones of its order. */
  #leavesAt({ orderId, dueAt, plan }: NewDelivery): EpochMs {
    if (dueAt === null) return this.#answeredAt + (plan?.delayMs ?? 0)
    return this.#awaiting.has(orderId) ? Math.max(dueAt, this.#answeredAt) : dueAt
  }

  /** Whether a webhook is sent. A delayed one looks for a URL when it leaves (N47). */
  #isSent({ at, delivery }: Omit<RehearsedWebhook, 'sent'>): boolean {
    if (at <= delivery.createdAt) return delivery.status !== 'skipped'
    return this.#urls.findLast((each) => each.from <= at)?.url !== null
  }

  #context(): DecisionContext {
    return {
      nowMs: this.#nowMs,
      settings: this.#settings,
      scenario: this.#scenario,
      clockSpeed: 0,
      seed: this.#seed,
      client: this.#client,
    }
  }
}

/** The order that a rehearsal plays. */
function sampleOrder(kind: OrderKind, { fiatAmount = '10.00', request }: RehearsalOptions): NewOrder {
  return {
    kind,
    requestId: 'explain',
    fiatAmount,
    currencyId: 'usd_us',
    email: 'payer@example.com',
    request: request ?? (kind === 'subscription' ? { interval: 'MONTHLY' } : {}),
    metadata: null,
  }
}

/** The client of a rehearsal, which has a webhook URL. */
function sampleClient(nowMs: EpochMs): Client {
  return {
    clientId: 'demo-client',
    apiSecret: 'demo-secret',
    accessToken: 'demo-token',
    webhookSecret: 'whsec_ZGVtby13ZWJob29rLXNlY3JldA==',
    webhookUrl: 'http://127.0.0.1:4601/',
    webhookPaused: false,
    pausedAfter: null,
    failedInARow: 0,
    previousWebhookSecret: null,
    holds: [],
    ownTokenExpired: false,
    tokensRefusedUntil: null,
    defaultScenario: 'happy',
    clock: { mode: 'manual', speed: 0, anchor: nowMs, anchorWall: nowMs },
    began: { at: nowMs, wallAt: nowMs },
    settings: {},
  }
}

import type { Settings, SettingsOverlay } from '../choices/settings.ts'
import { effectiveSettings } from '../choices/settings.ts'
import type { Client } from '../client/client.ts'
import { create, type NewOrder } from '../order/create.ts'
import type { Decision, DecisionContext } from '../order/decision.ts'
import { nextThing, plannedSteps, stepsOf } from '../order/next-steps.ts'
import type { HistoryEntry, LookupName, Order, OrderKind } from '../order/order.ts'
import { isTerminal } from '../order/statuses.ts'
import { carryOut, lookUp, pay } from '../order/steps.ts'
import { rulesFor, verdictOf } from '../scenario/answer-faults.ts'
import { type Scenario, versionOf } from '../scenario/scenario.ts'
import { addDuration } from '../text/duration.ts'
import type { EpochMs } from '../text/time.ts'
import type { NewDelivery } from '../webhook/delivery.ts'

/** Something that a scenario waits for, and that is assumed to come. */
export type AssumedAct =
  | { readonly who: 'payer'; readonly at: EpochMs }
  | {
      readonly who: 'lookup'
      readonly at: EpochMs
      readonly lookup: LookupName
      /** Which lookup of the order it is, from 1. */
      readonly n: number
    }

/** A payer takes so long. */
const payerTakesMs = 60_000
/** An application looks an order up so often. */
const lookupEveryMs = 10_000

/** What somebody is assumed to do next, because the scenario waits for it: a payer pays after a minute (or when the
 *  plan says so), the application looks the order up every ten seconds.
 *  @param since when something last happened to the order */
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

/** A caller whose call is never answered gives up after so long. */
const callerWaitsMs = 60_000

/** How long the answer of the create call is held that makes an order; its first webhook waits for that.
 *  @param key what tells the order: seed, clientId, requestId */
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

/** What an order is to be like that shows a scenario. */
export interface RehearsalOptions {
  /** The first kind that the scenario is for, if left out. */
  readonly kind?: OrderKind | undefined
  readonly fiatAmount?: string | undefined
  readonly seed?: string | undefined
  /** What is laid over the default settings, before the scenario's own. */
  readonly settings?: readonly SettingsOverlay[] | undefined
}

/** One thing that would happen to an order, with all that its commit would write. */
export interface Happening {
  readonly at: EpochMs
  readonly orderId: string
  /** Which order of the requestId it happens to; above 1 for a subscription's later charges. */
  readonly charge: number
  /** What somebody else had to do for it: the payer, or the application that looks the order up. */
  readonly act: AssumedAct | null
  readonly history: readonly HistoryEntry[]
  /** The order's error code afterwards. */
  readonly errorCode: string | null
}

/** A webhook that would be sent. */
export interface RehearsedWebhook {
  /** When its first attempt comes. */
  readonly at: EpochMs
  /** False if no URL is registered at that moment (N48). */
  readonly sent: boolean
  readonly orderId: string
  readonly charge: number
  readonly delivery: NewDelivery
}

/** The whole life of an order under a scenario, as far as anything happens. */
export interface Rehearsal {
  readonly order: Order
  readonly seed: string
  readonly happenings: readonly Happening[]
  /** In the order of their first attempts. */
  readonly webhooks: readonly RehearsedWebhook[]
  /** The bound that ended it, though more was to come; null if nothing was. */
  readonly cut: 'months' | 'steps' | null
}

/** A rehearsal goes no further. */
export const rehearsalBounds = { months: 14, steps: 10_000 } as const

const defaultStart: EpochMs = Date.UTC(2026, 0, 15, 12)

/** Carries out a scenario on a sample order, from due moment to due moment, without clock, store or network. What
 *  waits for a payer or for a lookup is assumed to come (see `assumedAct`). */
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

/** What comes next, of all the orders of the rehearsal. */
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
  readonly #happenings: Happening[] = []
  readonly #webhooks: Omit<RehearsedWebhook, 'sent'>[] = []
  /** The orders with a webhook that waits for the answer of the create call. */
  readonly #awaiting = new Set<string>()
  /** The webhook URLs that the client has had. */
  readonly #urls: { from: EpochMs; url: string | null }[] = []
  #client: Client
  #nowMs: EpochMs
  readonly #first: Order
  readonly #answeredAt: EpochMs
  readonly until: EpochMs

  constructor(scenario: Scenario, { kind, fiatAmount, seed, settings = [] }: RehearsalOptions) {
    this.#scenario = scenario
    this.#settings = effectiveSettings(...settings, scenario.settings)
    this.#seed = seed ?? 'explain'
    this.#nowMs = scenario.clock ?? defaultStart
    this.#client = sampleClient(this.#nowMs)
    this.until = addDuration(this.#nowMs, `P${rehearsalBounds.months}M`) ?? this.#nowMs
    const wanted = sampleOrder(kind ?? scenario.for?.[0] ?? 'checkout', fiatAmount)
    const key = [this.#seed, this.#client.clientId, wanted.requestId] as const
    this.#answeredAt = this.#nowMs + answerHeldMs(scenario, wanted.kind, key)
    const choice = { id: scenario.id, why: 'explain', version: versionOf(scenario) }
    const created = create(wanted, { isCalled: true, choice }, this.#around())
    this.#first = created.order
    this.#keep(created, null)
  }

  /** The earliest of what is due and of what somebody is assumed to do; of two at once, what is due. */
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
      happenings: this.#happenings,
      webhooks: this.#webhooks
        .map((webhook) => ({ ...webhook, sent: this.#isSent(webhook) }))
        .toSorted((a, b) => a.at - b.at),
      cut,
    }
  }

  #decide(order: Order, act: AssumedAct | null): Decision | null {
    if (act === null) return carryOut(order, this.#around())
    return act.who === 'payer'
      ? pay(order, { outcome: 'completed' }, this.#around())
      : lookUp(order, act.lookup, this.#around())
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

  /** What waits for the answer of the create call leaves after it, and what comes later in its order does too. */
  #leavesAt({ orderId, dueAt, plan }: NewDelivery): EpochMs {
    if (dueAt === null) return this.#answeredAt + (plan?.delayMs ?? 0)
    return this.#awaiting.has(orderId) ? Math.max(dueAt, this.#answeredAt) : dueAt
  }

  /** What leaves later than it was told looks for a URL then (N47). */
  #isSent({ at, delivery }: Omit<RehearsedWebhook, 'sent'>): boolean {
    if (at <= delivery.createdAt) return delivery.status !== 'skipped'
    return this.#urls.findLast((each) => each.from <= at)?.url !== null
  }

  #around(): DecisionContext {
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

/** The order that a scenario is shown with. */
function sampleOrder(kind: OrderKind, fiatAmount = '10.00'): NewOrder {
  return {
    kind,
    requestId: 'explain',
    fiatAmount,
    currencyId: 'usd_us',
    email: 'payer@example.com',
    request: kind === 'subscription' ? { interval: 'MONTHLY' } : {},
    metadata: null,
  }
}

/** The client whose order it is: one that receives webhooks. */
function sampleClient(nowMs: EpochMs): Client {
  return {
    clientId: 'demo-client',
    apiSecret: 'demo-secret',
    accessToken: 'demo-token',
    webhookSecret: 'whsec_ZGVtby13ZWJob29rLXNlY3JldA==',
    webhookUrl: 'http://127.0.0.1:4601/',
    webhookPaused: false,
    holds: [],
    ownTokenExpired: false,
    tokensRefusedUntil: null,
    defaultScenario: 'happy',
    clock: { mode: 'manual', speed: 0, anchor: nowMs, anchorWall: nowMs },
    began: { at: nowMs, wallAt: nowMs },
    settings: {},
  }
}

import type { Settings } from '../choices/settings.ts'
import type { Rehearsal, RehearsedWebhook } from '../explain/rehearse.ts'
import type { Order } from '../order/order.ts'
import type { Scenario } from '../scenario/scenario.ts'
import { formatDuration, spanWords } from '../text/duration.ts'
import type { EpochMs } from '../text/time.ts'
import type { Attempt, Delivery } from '../webhook/delivery.ts'
import { treated } from '../webhook/plan.ts'
import { chainsOf, copiesIn, neededFaults, tolerableMs } from './attempt-chains.ts'
import { roundedMs } from './kept-time.ts'
import type { KeptStep, RecordedLife } from './recorded-life.ts'
import { webhookStep } from './webhook-step.ts'
import type { Written } from './written-scenario.ts'

/** What the webhooks of an order add to a scenario that has its steps. */
export interface KeptWebhooks {
  /** Rules beyond those of the order's scenario; later ones take precedence. */
  readonly rules: readonly Written[]
  readonly steps: readonly KeptStep[]
  readonly notes: readonly string[]
}

/** A webhook on record with the number of its charge. */
interface Sent {
  readonly charge: number
  readonly delivery: Delivery
}

/** A webhook as the steps would send it, and as it was sent; null where one of them lacks it. */
interface Pair {
  readonly charge: number
  readonly expected: RehearsedWebhook | null
  readonly sent: Delivery | null
}

/** What a rule has to say about a webhook, so that it is sent as it was. */
interface Need {
  readonly drop: boolean
  /** How much later it was sent than the steps would send it. */
  readonly lateMs: number
  readonly rules: readonly Written[]
  readonly attempts: number | undefined
}

/** Compares the webhooks on record with those that the steps and rules would send, and writes the difference.
 *  @param steps the steps of the order, with their extra webhooks
 *  @param rehearsal the scenario without extra webhooks, played from the order's creation */
export function keptWebhooks(
  life: RecordedLife,
  steps: readonly KeptStep[],
  { scenario, rehearsal, settings }: { scenario: Scenario; rehearsal: Rehearsal; settings: Settings },
): KeptWebhooks {
  const comparison = new Comparison(life, scenario, settings)
  const recorded: Sent[] = life.orders.flatMap(({ order, deliveries }) =>
    deliveries.map((delivery) => ({ charge: order.charge, delivery })),
  )
  const extras = new Set(steps.flatMap((step) => extrasOf(step, recorded)))
  const changes = recorded.filter(({ delivery }) => delivery.sequence > 0 && !extras.has(delivery))
  const statuses = new Set([
    ...rehearsal.webhooks.map(({ delivery }) => delivery.orderStatus),
    ...changes.map(({ delivery }) => delivery.orderStatus),
  ])
  for (const status of statuses) comparison.compare(status, pairsOf(status, rehearsal.webhooks, changes))
  for (const step of steps) comparison.takeExtras(step, extrasOf(step, recorded))
  for (const { delivery } of recorded) if (delivery.sequence === 0) comparison.takeManual(delivery)
  const { rules, notes } = comparison
  return { rules, steps: comparison.steps, notes: [...new Set(notes)] }
}

/** The webhooks that a step sent in addition to those about its change: the last ones of its commit. */
function extrasOf({ at, extras = 0 }: KeptStep, recorded: readonly Sent[]): Delivery[] {
  if (extras === 0) return []
  const made = recorded.filter(({ charge, delivery }) => charge === 1 && delivery.createdAt === at)
  return made
    .map(({ delivery }) => delivery)
    .filter(({ sequence }) => sequence > 0)
    .slice(-extras)
}

/** Pairs the webhooks of a status, in the order in which they were created. */
function pairsOf(status: string, expected: readonly RehearsedWebhook[], changes: readonly Sent[]): Pair[] {
  const kindOf = (charge: number, { orderType, eventType }: Pick<Delivery, 'orderType' | 'eventType'>) =>
    JSON.stringify([charge, orderType, eventType])
  const would = Map.groupBy(
    expected.filter(({ delivery }) => delivery.orderStatus === status),
    ({ charge, delivery }) => kindOf(charge, delivery),
  )
  const did = Map.groupBy(
    changes.filter(({ delivery }) => delivery.orderStatus === status),
    ({ charge, delivery }) => kindOf(charge, delivery),
  )
  return [...new Set([...would.keys(), ...did.keys()])].flatMap((kind) => {
    const wanted = (would.get(kind) ?? []).toSorted((a, b) => a.delivery.sequence - b.delivery.sequence)
    const sent = (did.get(kind) ?? []).toSorted((a, b) => a.delivery.sequence - b.delivery.sequence)
    return Array.from({ length: Math.max(wanted.length, sent.length) }, (_, index): Pair => {
      const charge = wanted[index]?.charge ?? sent[index]?.charge ?? 1
      return { charge, expected: wanted[index] ?? null, sent: sent[index]?.delivery ?? null }
    })
  })
}

class Comparison {
  readonly rules: Written[] = []
  readonly steps: KeptStep[] = []
  readonly notes: string[] = []
  readonly #life: RecordedLife
  readonly #scenario: Scenario
  readonly #settings: Settings

  constructor(life: RecordedLife, scenario: Scenario, settings: Settings) {
    this.#life = life
    this.#scenario = scenario
    this.#settings = settings
  }

  /** Writes rules for the webhooks of a status; where they differ among each other, a step for each. */
  compare(status: string, pairs: readonly Pair[]): void {
    const needs = pairs.map((pair) => this.#needOf(pair))
    const [need] = needs
    if (need === undefined) return
    const isUniform = needs.every((each) => JSON.stringify(each) === JSON.stringify(need))
    if (isUniform && pairs.every(({ expected }) => expected !== null)) {
      if (this.#addRules(status, need)) {
        for (const pair of pairs) this.#takeLaterChains(pair)
        return
      }
    }
    if (pairs.some(({ charge }) => charge > 1)) {
      for (const pair of pairs) this.#noteDifference(status, pair)
      return
    }
    if (pairs.some(({ expected }) => expected !== null)) this.rules.push({ of: status, drop: true })
    for (const { sent } of pairs) if (sent !== null) this.#addSteps(sent, this.#chainsOf(sent))
  }

  /** Writes extra webhooks of a step one by one if they were not sent as the step says. */
  takeExtras(step: KeptStep, extras: readonly Delivery[]): void {
    const { webhook } = step.fields
    const isPlain = typeof webhook === 'object' && webhook !== null && !('delay' in webhook && webhook.delay)
    for (const delivery of extras) {
      const [first = [], ...later] = this.#chainsOf(delivery)
      const { rules, attempts, notes } = this.#faultsOf(delivery, first, delivery.plan)
      const lateMs = (first[0]?.at ?? delivery.createdAt) - delivery.createdAt
      this.notes.push(...notes)
      if (rules.length > 0 || attempts !== undefined || (isPlain && lateMs > tolerableMs))
        this.notes.push(`The webhook ${delivery.orderStatus} of a step was not sent as the step says.`)
      this.#addSteps(delivery, later)
    }
  }

  /** Writes a webhook that was sent by hand, or simulated by the application. */
  takeManual(delivery: Delivery): void {
    const { attempts, createdAt } = delivery
    const [first] = attempts
    const atOnce = attempts.filter(({ at }) => at === first?.at)
    if (atOnce.length > 1) {
      this.#addStep(delivery, atOnce, atOnce.length)
      this.#addSteps(
        delivery,
        chainsOf({ ...delivery, attempts: attempts.slice(atOnce.length) }, this.#settings),
      )
      return
    }
    if (first === undefined) {
      this.notes.push(`The webhook ${delivery.orderStatus} that was made by hand was not sent.`)
      if (delivery.status !== 'held') this.#addStep({ ...delivery, createdAt }, [])
      return
    }
    this.#addSteps(delivery, this.#chainsOf(delivery))
  }

  #needOf({ expected, sent }: Pair): Need {
    if (sent === null) return dropped
    if (sent.plan?.faults?.some(({ drop }) => drop)) return dropped
    const [chain = []] = this.#chainsOf(sent)
    const [first] = chain
    if (first === undefined) return this.#needOfUnsent(expected, sent)
    const { rules, attempts, notes } = this.#faultsOf(sent, chain, expected?.delivery.plan ?? null)
    this.notes.push(...notes)
    const copies = copiesIn(sent.plan)
    const { duplicate, apartMs = 0 } = copies ?? {}
    const copied = { duplicate, apart: apartMs === 0 ? undefined : formatDuration(apartMs) }
    return {
      drop: false,
      lateMs: latenessOf(first.at, expected),
      rules: duplicate === undefined ? rules : [copied, ...rules],
      attempts,
    }
  }

  #needOfUnsent(expected: RehearsedWebhook | null, { status, orderStatus, dueAt }: Delivery): Need {
    if (status === 'held') {
      this.notes.push(`The webhook ${orderStatus} was on hold and was never sent.`)
      return dropped
    }
    if (status === 'skipped')
      this.notes.push(
        'No webhook URL was registered, so webhooks of the order were not sent. Here they are sent when they would have been.',
      )
    else if (dueAt !== null && dueAt <= this.#life.nowMs)
      this.notes.push(`The webhook ${orderStatus} was due, but had not been sent yet. Here it is sent.`)
    const lateMs = status === 'skipped' || dueAt === null ? 0 : lateness(dueAt, expected?.at)
    return { drop: false, lateMs, rules: [], attempts: undefined }
  }

  #faultsOf(delivery: Delivery, chain: readonly Attempt[], plan: Delivery['plan']) {
    const copies = copiesIn(delivery.plan)
    const { length } = chain
    const ownEnd = chain.findIndex(({ outcome }) => outcome === 'accepted')
    // Copies by a planned fault are attempts of the same delivery; in a file they are webhooks of their own.
    const own = copies === undefined || ownEnd < 0 ? chain : chain.slice(0, Math.min(ownEnd + 1, length))
    const name = `the webhook ${delivery.orderStatus}`
    return neededFaults(own, delivery, { plan, settings: this.#settings, name })
  }

  /** @returns false if no rule can say it */
  #addRules(status: string, { drop, lateMs, rules, attempts }: Need): boolean {
    if (drop) {
      this.rules.push({ of: status, drop: true })
      return true
    }
    const base = treated(this.#scenario.webhooks.filter(({ of }) => of === undefined || of === status))
    const delayMs = (base.delayMs ?? 0) + lateMs
    if (lateMs < 0 && (status !== 'CREATED' || delayMs < 0)) return false
    const early = lateMs < 0 ? true : undefined
    const [first, ...others] = rules
    const delay = lateMs === 0 ? undefined : formatDuration(delayMs)
    const rule = { early, delay, attempts, ...first }
    if (Object.values(rule).some((value) => value !== undefined)) this.rules.push({ of: status, ...rule })
    this.rules.push(...others.map((other) => ({ of: status, ...other })))
    return true
  }

  /** Writes resends of a webhook, and attempts at times of their own. */
  #takeLaterChains({ charge, sent }: Pair): void {
    if (sent === null) return
    const [, ...later] = this.#chainsOf(sent)
    if (charge === 1) this.#addSteps(sent, later)
    else if (later.length > 0)
      this.#noteCharge(charge, `the webhook ${sent.orderStatus} was sent again later`)
  }

  #noteDifference(status: string, pair: Pair): void {
    const { charge, sent } = pair
    const { drop, lateMs, rules, attempts } = this.#needOf(pair)
    const name = `the webhook ${status}`
    if (sent === null || drop) this.#noteCharge(charge, `${name} was not sent`)
    else if (pair.expected === null) this.#noteCharge(charge, `${name} was sent in addition`)
    else if (lateMs !== 0)
      this.#noteCharge(
        charge,
        `${name} was sent ${spanWords(Math.abs(lateMs))} ${lateMs < 0 ? 'earlier' : 'later'}`,
      )
    else if (rules.length > 0 || attempts !== undefined)
      this.#noteCharge(charge, `attempts of ${name} failed`)
    this.#takeLaterChains(pair)
  }

  #noteCharge(charge: number, what: string): void {
    this.notes.push(
      `Of charge ${charge}, ${what}; the file does not repeat that, because no rule is about one charge.`,
    )
  }

  #chainsOf(delivery: Delivery): Attempt[][] {
    return chainsOf(delivery, this.#settings)
  }

  #addSteps(delivery: Delivery, chains: readonly Attempt[][]): void {
    for (const chain of chains) {
      if (delivery.sequence > 0 && (chain[0]?.n ?? 1) > 1)
        this.notes.push(
          `The webhook ${delivery.orderStatus} was sent again. Here it is a step, with a webhook-id of its own.`,
        )
      this.#addStep(delivery, chain)
    }
  }

  #addStep(delivery: Delivery, chain: readonly Attempt[], copies?: number): void {
    const at = chain[0]?.at ?? delivery.createdAt
    const { fields, notes } = webhookStep(delivery, chain, {
      order: this.#orderAt(at),
      settings: this.#settings,
      ...(copies !== undefined && { copies }),
    })
    this.steps.push({ at, fields })
    this.notes.push(...notes)
    if (copies !== undefined)
      this.notes.push(
        `A webhook was sent ${copies} times by hand. Here its copies are sent one after the other.`,
      )
  }

  /** The first order as its webhooks report it at a time. */
  #orderAt(at: EpochMs): Order {
    const [{ order, history }] = this.#life.orders
    const changed = history.findLast((entry) => entry.what === 'order' && entry.at <= at)
    const orderStatus = changed?.to ?? 'CREATED'
    return { ...order, orderStatus, errorReason: orderStatus === 'FAILED' ? order.errorReason : null }
  }
}

const dropped: Need = { drop: true, lateMs: 0, rules: [], attempts: undefined }

/** A delay counts from the change, also where the webhook would have waited for the answer to the create call. */
function latenessOf(at: EpochMs, expected: RehearsedWebhook | null): number {
  const lateMs = lateness(at, expected?.at)
  return lateMs > 0 ? lateness(at, expected?.delivery.dueAt ?? expected?.at) : lateMs
}

function lateness(at: EpochMs, expectedAt: EpochMs | undefined): number {
  const lateMs = expectedAt === undefined ? 0 : at - expectedAt
  return Math.abs(lateMs) <= tolerableMs ? 0 : roundedMs(lateMs)
}

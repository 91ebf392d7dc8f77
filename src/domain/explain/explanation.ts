import { effectiveSettings, type Settings } from '../choices/settings.ts'
import { demoCredentials } from '../client/client.ts'
import type { HistoryEntry, OrderKind } from '../order/order.ts'
import type { Scenario } from '../scenario/scenario.ts'
import { pickedParts } from '../scenario/scenario.ts'
import { formatDuration } from '../text/duration.ts'
import type { EpochMs } from '../text/time.ts'
import { exampleRequest, type SignedExample } from '../webhook/example-request.ts'
import { keyProblem } from '../webhook/key-problem.ts'
import type { AssumedAct } from './rehearse.ts'
import {
  type RehearsalOptions,
  type RehearsedEvent,
  type RehearsedWebhook,
  rehearsalBounds,
  rehearse,
} from './rehearse.ts'
import { answerRuleWords, planWords, webhookRuleWords } from './rule-words.ts'

/** The effects of a scenario without running it, as plain JSON. */
export interface Explanation {
  readonly id: string
  readonly description: string
  readonly tests: string
  readonly for: readonly OrderKind[] | null
  /** The sample order that the explanation is about. */
  readonly order: {
    readonly kind: OrderKind
    readonly fiatAmount: string
    readonly currencyId: string
    readonly createdAt: EpochMs
    readonly expiresAt: EpochMs
    readonly seed: string
  }
  /** The events of the sample order, in order of time. */
  readonly rows: readonly ExplainedRow[]
  /** The first webhook as the settings sign it, with the demo client's secrets; null if none is sent. */
  readonly example: Pick<SignedExample, 'headers' | 'body'> | null
  /** Descriptions of faulty webhooks and faulty answers. */
  readonly webhookRules: readonly string[]
  readonly answerRules: readonly string[]
  /** The parts of the random mix that this order gets. */
  readonly drawn: readonly string[]
  /** The reason why the timetable ends early; null if nothing follows. */
  readonly cut: string | null
}

interface Place {
  readonly at: EpochMs
  /** The time since the creation of the first order. */
  readonly afterMs: number
  readonly orderId: string
  /** The number of the charge: 1, and higher ones for a subscription's later charges. */
  readonly charge: number
}

/** A change of the sample order. */
export interface ExplainedChange extends Place {
  readonly type: 'change'
  /** The assumed act that causes it; null for a step that comes by itself. */
  readonly assumed: string | null
  readonly changes: readonly Pick<HistoryEntry, 'what' | 'from' | 'to'>[]
  /** The order's error code after the change. */
  readonly errorCode: string | null
}

/** A webhook of the sample order, at the time of its first attempt. */
export interface ExplainedWebhook extends Place {
  readonly type: 'webhook'
  /** Whether the webhook is sent; false without a webhook URL. */
  readonly sent: boolean
  readonly orderStatus: string
  readonly orderType: string
  /** Whether a rule of the scenario delayed it. */
  readonly late: boolean
  /** The faults of the webhook in words; empty without faults. */
  readonly wrong: string
  readonly body: string
}

export type ExplainedRow = ExplainedChange | ExplainedWebhook

/** Rehearses a scenario and describes the result. */
export function explain(scenario: Scenario, options: RehearsalOptions = {}): Explanation {
  const { order, seed, timelineEvents, webhooks, cut } = rehearse(scenario, options)
  const { kind, fiatAmount, currencyId, createdAt, expiresAt } = order
  const { id, description, tests } = scenario
  const drawn = pickedParts(scenario, [seed, order.clientId, order.requestId])
  const rows = [
    ...timelineEvents.map((event) => changeRow(event, createdAt)),
    ...webhooks.map((webhook) => webhookRow(webhook, createdAt)),
  ]
  return {
    id,
    description,
    tests,
    for: scenario.for,
    order: { kind, fiatAmount, currencyId, createdAt, expiresAt, seed },
    // Stable: at the same time, changes stand before their webhooks.
    rows: rows.toSorted((a, b) => a.at - b.at),
    example: exampleOf(webhooks, scenario, options),
    webhookRules: [
      ...sendingWords(effectiveSettings(...(options.settings ?? []))),
      ...[...scenario.webhooks, ...drawn.flatMap((part) => part.webhooks)].map(webhookRuleWords),
    ],
    answerRules: [...scenario.answers, ...drawn.flatMap((part) => part.answers)].map(answerRuleWords),
    drawn: drawn.map(({ name }) => name),
    cut: cut === null ? null : cutWords[cut],
  }
}

/** Signs the first webhook that is sent. */
function exampleOf(
  webhooks: readonly RehearsedWebhook[],
  { settings: own }: Scenario,
  { settings = [] }: RehearsalOptions,
): Explanation['example'] {
  const [first] = webhooks.filter(({ sent }) => sent)
  const effective = effectiveSettings(...settings, own)
  if (first === undefined || keyProblem(effective, demoCredentials) !== undefined) return null
  const { webhookId: id, clientId, id: deliveryId, body } = first.delivery
  const { headers, body: sent } = exampleRequest(
    effective,
    { id, clientId, deliveryId, body, at: first.at },
    demoCredentials,
  )
  return { headers, body: sent }
}

const sendingWords = ({ 'webhook.order': order, 'webhook.batch': batch }: Settings): string[] => [
  ...(order === 'strict'
    ? [
        'every webhook: waits until all older ones of the client are delivered or dead (webhook.order: strict)',
      ]
    : []),
  ...(batch === null
    ? []
    : [
        `every webhook: waits for others, until they are ${batch.max} or ${formatDuration(batch.within)} have passed (webhook.batch)`,
      ]),
]

const cutWords = {
  months: `The timetable ends after ${rehearsalBounds.months} months, but more would follow.`,
  steps: `The timetable ends after ${rehearsalBounds.steps} steps, but more would follow.`,
} as const

function changeRow(
  { at, orderId, charge, act, history, errorCode }: RehearsedEvent,
  createdAt: EpochMs,
): ExplainedChange {
  const changes = history.map(({ what, from, to }) => ({
    what,
    ...(from !== undefined && { from }),
    ...(to !== undefined && { to }),
  }))
  const assumed = act === null ? null : actWords(act)
  return { type: 'change', at, afterMs: at - createdAt, orderId, charge, assumed, changes, errorCode }
}

function webhookRow(
  { at, sent, orderId, charge, delivery }: RehearsedWebhook,
  createdAt: EpochMs,
): ExplainedWebhook {
  const { orderStatus, orderType, body, plan } = delivery
  const place = { at, afterMs: at - createdAt, orderId, charge }
  const late = at > delivery.createdAt
  return { type: 'webhook', ...place, sent, orderStatus, orderType, late, wrong: planWords(plan), body }
}

const actWords = (act: AssumedAct): string =>
  act.who === 'payer' ? 'if the payer pays' : `with lookup ${act.n}, ${act.lookup}`

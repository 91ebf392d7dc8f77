import { createHash, hash } from 'node:crypto'
import type { SettingsOverlay } from '../choices/settings.ts'
import type { AnswerEffect, FaultStage } from '../faults/answer/answer-fault.ts'
import type { CallWord } from '../journal/call-words.ts'
import type { ErrorReason, LookupName, Order, OrderKind } from '../order/order.ts'
import type { JsonMembers, JsonValue } from '../text/objects.ts'
import type { EpochMs } from '../text/time.ts'
import type { SourceProblem } from '../text/yaml-source.ts'
import type { PlannedFaults } from '../webhook/faults/faults.ts'

/** A rule for answers to calls about an order. */
export interface AnswerRule {
  readonly on: readonly CallWord[]
  readonly when: FaultStage
  readonly effect: AnswerEffect
  /** The number of matching calls that are answered normally first. */
  readonly skip: number
  /** The number of calls that it answers; null for all. */
  readonly times: number | null
  /** The time that it holds, from its first matching call; null for ever. */
  readonly forMs: number | null
  /** Restricts it to orders that are CREATED (`open`) or final (`final`). */
  readonly orders?: 'open' | 'final' | undefined
  /** The behaviour of a sweep to which the rule belongs. */
  readonly by?: string | undefined
}

/** Stands for any final status of the order. */
export const anyFinal = '(final)'

/** `pretty`: indented, with its fields in another order. `null-error`: `errorCode` is null without an error. */
export type Spelling = 'pretty' | 'null-error'

/** `unknown-event`: an undocumented `eventType`. `unknown-order`: about an order that does not exist.
 *  `other-client`: for another client, signed with its secret. */
export type Companion = 'unknown-event' | 'unknown-order' | 'other-client'

/** The deviations of a webhook; fields that are left out are normal. */
export interface WebhookTreatment {
  /** How long the webhook is delayed. */
  readonly delayMs?: number | undefined
  /** The number of additional copies, one after the other. */
  readonly duplicate?: number | undefined
  /** The time between two copies of the webhook. */
  readonly apartMs?: number | undefined
  /** Sends the copies within a second, so that they reach the test that created the order. */
  readonly hurried?: boolean | undefined
  /** The number of copies at the same time as the first. */
  readonly simultaneous?: number | undefined
  /** Whether each copy has its own `webhook-id`. */
  readonly freshIds?: boolean | undefined
  /** A text that is sent instead of the normal body. */
  readonly body?: string | undefined
  /** A body with placeholders that is sent instead of the normal one: a text, or JSON. */
  readonly template?: JsonValue | undefined
  /** Fields that are merged into the normal body, or into each element of a list. Texts may have placeholders. */
  readonly patch?: JsonMembers | undefined
  /** Formats the same JSON differently. */
  readonly spelling?: Spelling | undefined
  /** A further webhook that follows at once. */
  readonly companion?: Companion | undefined
  /** The maximum number of attempts for the webhook. */
  readonly attempts?: number | undefined
  readonly faults?: PlannedFaults | undefined
}

/** A rule for webhooks of an order. Of several matching rules, later ones take precedence, field by field. */
export interface WebhookRule extends WebhookTreatment {
  /** The `orderStatus` of affected webhooks; left out for every webhook about a change. */
  readonly of?: string | undefined
  readonly drop?: boolean | undefined
  /** Sends it only after the webhook of this `orderStatus`, or of `anyFinal`. */
  readonly after?: string | undefined
  /** Sends it at the same time as the webhook before it. */
  readonly beside?: boolean | undefined
  /** Sends it before the create call is answered (S19). */
  readonly early?: boolean | undefined
  /** The behaviour of a sweep to which the rule belongs. */
  readonly by?: string | undefined
}

/** A webhook in addition to those about status changes. Webhook rules do not apply to it. */
export interface ExtraWebhook extends WebhookTreatment {
  /** The `orderStatus` in the webhook; null for the order's present status. */
  readonly status: string | null
}

/** A compiled script of an order's lifecycle, as plain JSON: the version that an order started with is stored. */
export interface Scenario {
  readonly id: string
  readonly description: string
  /** Which part of an application the scenario tests. */
  readonly tests: string
  /** The kinds of order that the scenario is for; null for all. */
  readonly for: readonly OrderKind[] | null
  readonly timeline: readonly ScenarioStep[]
  /** The charges of a subscription, by number; the last rule about a charge decides. */
  readonly charges: readonly ChargeRule[]
  /** Special properties of an order from the start; null for none. */
  readonly begin: Beginning | null
  /** The rules about webhooks of the order. */
  readonly webhooks: readonly WebhookRule[]
  /** The rules about answers to calls that concern the order. */
  readonly answers: readonly AnswerRule[]
  /** Deviations of which each order gets some, by the seed. */
  readonly random: RandomMix | null
  /** Overrides of the client's settings for its orders. */
  readonly settings: SettingsOverlay
  /** The trial of a subscription whose request has none; null for none. */
  readonly trialMs: number | null
  /** Whether orders get ids that are no UUIDs. */
  readonly otherIds?: true | undefined
  /** The time of a clock that shows the scenario (`explain`, the library's test). */
  readonly clock: EpochMs | null
}

export interface ScenarioStep {
  readonly when: When
  /** The effects of the step, carried out in this order in one commit. */
  readonly effects: readonly Effect[]
}

/** The dates of an order: its expiry, the end of its trial (the first charge), the second charge. */
export const orderDates = ['expiry', 'trialEnd', 'interval'] as const

/** The due time of a step: relative to a time (`step` is the step before), with the payer's act, or with a lookup.
 *  An offset from a date of the order may be negative. */
export type When =
  | { readonly since: 'creation' | 'step' | (typeof orderDates)[number]; readonly offsetMs: number }
  | { readonly on: 'payer' }
  | { readonly on: 'lookup'; readonly n: number; readonly of: LookupName | null }

/** An effect of a scenario step. */
export type Effect =
  | { readonly do: 'pay'; readonly outcome: PayOutcome; readonly errorCode: string | null }
  | { readonly do: 'order'; readonly status: string; readonly errorCode: string | null }
  | { readonly do: 'payment' | 'settlement'; readonly status: string }
  | { readonly do: 'received'; readonly amount: ScriptedAmount }
  | ({ readonly do: 'crypto' } & CryptoLeg)
  | { readonly do: 'refund'; readonly amount: ScriptedAmount; readonly status: string }
  | { readonly do: 'refund-status'; readonly status: string }
  | { readonly do: 'refund-error'; readonly error: string | ErrorReason }
  | { readonly do: 'metadata'; readonly text: string }
  | { readonly do: 'cancel' }
  | ({ readonly do: 'client' } & ClientEffect)
  | { readonly do: 'webhook'; readonly webhook: ExtraWebhook }

/** The names of the payer's acts in the control API. */
export const payOutcomes = ['completed', 'failed', 'abandoned'] as const
export type PayOutcome = (typeof payOutcomes)[number]

/** An amount, or a percentage of the order's amount: `{ percent: '30' }`. */
export type ScriptedAmount = { readonly exact: string } | { readonly percent: string }

/** The crypto leg of an order where it does not follow the order; else null. */
export type CryptoLeg = NonNullable<Order['crypto']>

/** The changes that a scenario makes to an order from the start. */
export interface Beginning {
  readonly crypto: CryptoLeg | null
  /** The lead of `updatedTs` over the clock; negative for a lag. */
  readonly updatedTsSkewMs: number
  /** JSON text that replaces the sent `metadata`; null for no replacement. */
  readonly metadata: string | null
}

/** The changes that a scenario step makes to the order's client. */
export interface ClientEffect {
  /** All its tokens, its own included, are rejected until it gets a new one. */
  readonly tokensExpire: boolean
  /** How long all access tokens of the client are refused, new ones included. */
  readonly refuseTokensMs: number | null
  /** The lifetime of access tokens that the client gets from now on. */
  readonly tokenLifetimeMs: number | 'usual' | null
  readonly webhookUrl: { readonly set: string | null } | { readonly addQuery: string } | null
}

/** A rule about the outcome of some charges of a subscription. */
export interface ChargeRule {
  /** The number of the first charge that the rule is about, from 1. */
  readonly from: number
  /** The number of the last charge; null for all later ones. */
  readonly to: number | null
  /** If it is final and `to` is set, no charge comes after `to`, unless a later rule names one. */
  readonly status: string
  readonly errorCode: string | null
  /** The time from the date of a charge to its outcome. */
  readonly afterMs: number
  /** Whether it causes charges; a line with `charge` only decides the outcome of one. */
  readonly recurs: boolean
}

/** A random mix of rules, of which each order gets some parts. */
export interface RandomMix {
  /** The minimum and the maximum number of parts that an order gets. */
  readonly pick: readonly [number, number]
  readonly from: readonly {
    readonly name: string
    readonly webhooks: readonly WebhookRule[]
    readonly answers: readonly AnswerRule[]
  }[]
}

/** The version of the compiled form that is stored for running orders. Raise it with each change of `Scenario` that
 *  gives a stored one another meaning. */
export const scenarioFormat = 1

/** Returns a hash that identifies the content of a scenario. */
export function versionOf(scenario: Scenario): string {
  return createHash('sha256')
    .update(`${scenarioFormat}${JSON.stringify(scenario)}`)
    .digest('hex')
    .slice(0, 16)
}

/** The news that an added scenario file was changed while the emulator runs. */
export interface ScenarioNews {
  readonly id: string
  readonly file: string
  /** `broken`: its last good version stays in use. `unwatched`: changes in this folder go unnoticed. */
  readonly change: 'added' | 'changed' | 'removed' | 'broken' | 'unwatched'
  /** The problems of a broken file or unwatched folder. */
  readonly problems: readonly SourceProblem[]
}

/** The parts of the scenario's random mix that an order gets. They follow from the seed, the client and the
 *  requestId alone, so that a seed repeats a run.
 *  @param key the seed, clientId and requestId of the order */
export function pickedParts(
  { id, random }: Pick<Scenario, 'id' | 'random'>,
  key: readonly [seed: string, clientId: string, requestId: string],
): RandomMix['from'] {
  if (random === null) return []
  const chance = (n: number) =>
    Number.parseInt(hash('sha256', JSON.stringify([...key, id, n])).slice(0, 12), 16)
  const [least, most] = random.pick
  const count = least + (chance(0) % (most - least + 1))
  const drawn = random.from
    .map((part, index) => ({ part, index, lot: chance(index + 1) }))
    .toSorted((a, b) => a.lot - b.lot || a.index - b.index)
    .slice(0, count)
  return drawn.toSorted((a, b) => a.index - b.index).map(({ part }) => part)
}

import { createHash } from 'node:crypto'
import type { SettingsOverlay } from '../choices.ts'
import type { ErrorReason, Order, OrderKind } from '../order.ts'
import type { EpochMs } from '../time.ts'
import type { AnswerRule } from './answer-rules.ts'
import type { ExtraWebhook, WebhookRule } from './webhook-rules.ts'

/** A script of what happens to an order, checked and ready to be followed. JSON through and through: an order
 *  keeps the version it began with in the database. */
export interface Scenario {
  readonly id: string
  readonly description: string
  /** What it tests in the code of whoever uses it. */
  readonly tests: string
  /** The kinds of order it serves; null for all. */
  readonly for: readonly OrderKind[] | null
  readonly timeline: readonly ScenarioStep[]
  /** The charges of a subscription, by number; the last rule that names a charge decides. */
  readonly charges: readonly ChargeRule[]
  /** What an order is like from the start; null if there is nothing particular about it. */
  readonly begin: Beginning | null
  /** How its webhooks leave. */
  readonly webhooks: readonly WebhookRule[]
  /** How the service answers calls about it. */
  readonly answers: readonly AnswerRule[]
  /** Mischief of which each order gets some, by the seed. */
  readonly random: RandomMix | null
  /** Laid over the client's settings for its orders. */
  readonly settings: SettingsOverlay
  /** The trial of a subscription whose request names none; null for none. */
  readonly trialMs: number | null
  /** Orders get ids that are no UUIDs. */
  readonly otherIds?: true | undefined
  /** Where a clock stands that is set up to show the scenario (`explain`, the library's test). */
  readonly clock: EpochMs | null
}

/** One step of the timeline. */
export interface ScenarioStep {
  readonly when: When
  /** In the order in which they are carried out; all in one commit. */
  readonly effects: readonly Effect[]
}

/** The dates that an order knows: its expiry, the end of its trial (the first charge), the second charge. */
export const orderDates = ['expiry', 'trialEnd', 'interval'] as const

/** When a step comes due: counted from a moment (`step` is the step before), with the payer's act, or with a
 *  lookup. An offset from one of the order's dates may be negative. */
export type When =
  | { readonly since: 'creation' | 'step' | (typeof orderDates)[number]; readonly offsetMs: number }
  | { readonly on: 'payer' }
  | { readonly on: 'lookup'; readonly n: number; readonly of: LookupName | null }

/** The lookups, called as everywhere else. */
export const lookupNames = ['orders', 'crypto-orders', 'fiat-refunds'] as const
export type LookupName = (typeof lookupNames)[number]

/** What a step does. */
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

/** The words of the control API for what the payer did. */
export const payOutcomes = ['completed', 'failed', 'abandoned'] as const
export type PayOutcome = (typeof payOutcomes)[number]

/** An amount, or a part of the amount that the order is about: `{ percent: '30' }`. */
export type ScriptedAmount = { readonly exact: string } | { readonly percent: string }

/** What is particular about the crypto leg of an order; null where it follows the order. */
export type CryptoLeg = NonNullable<Order['crypto']>

/** What an order is like from the start. */
export interface Beginning {
  readonly crypto: CryptoLeg | null
  /** How far its `updatedTs` is ahead of the clock; negative when behind. */
  readonly updatedTsSkewMs: number
  /** JSON text that stands for what was sent as `metadata`; null for what was sent. */
  readonly metadata: string | null
}

/** What happens to the client of an order. */
export interface ClientEffect {
  /** Every token it has is refused from now on, its own too, until it gets a new one. */
  readonly tokensExpire: boolean
  /** How long all its tokens are refused, new ones too. */
  readonly refuseTokensMs: number | null
  /** How long tokens live that it gets from now on. */
  readonly tokenLifetimeMs: number | 'usual' | null
  readonly webhookUrl: { readonly set: string | null } | { readonly addQuery: string } | null
}

/** How some charges of a subscription end. */
export interface ChargeRule {
  /** The first charge it is about, from 1. */
  readonly from: number
  /** The last one; null for all that follow. */
  readonly to: number | null
  /** It ends what it does not name: no charge comes after `to`, unless a later rule names it. */
  readonly status: string
  readonly errorCode: string | null
  /** From the charge's date to its outcome. */
  readonly afterMs: number
  /** Whether it makes charges come; a line with `charge` only says how one of them ends. */
  readonly recurs: boolean
}

/** Of its parts each order gets some. */
export interface RandomMix {
  /** At least and at most so many of them. */
  readonly pick: readonly [number, number]
  readonly from: readonly {
    readonly name: string
    readonly webhooks: readonly WebhookRule[]
    readonly answers: readonly AnswerRule[]
  }[]
}

/** Of the compiled form that is stored for running orders. Raise it with each change of `Scenario` that makes a stored
 *  one mean something else. */
export const scenarioFormat = 1

/** A name for exactly this content, in this form. */
export function versionOf(scenario: Scenario): string {
  return createHash('sha256')
    .update(`${scenarioFormat}${JSON.stringify(scenario)}`)
    .digest('hex')
    .slice(0, 16)
}

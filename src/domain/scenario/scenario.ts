import { createHash, hash } from 'node:crypto'
import type { SettingsOverlay } from '../choices/settings.ts'
import type { ErrorReason, LookupName, Order, OrderKind } from '../order/order.ts'
import type { JsonMembers } from '../text/objects.ts'
import type { EpochMs } from '../text/time.ts'
import type { SourceProblem } from '../text/yaml-source.ts'
import type { PlannedFaults } from '../webhook/faults/faults.ts'

/** The operations that name an order, as the journal calls them; `create-order` stands for both creates. */
export const orderOperations = [
  'create-checkout-order',
  'create-subscription-order',
  'create-order',
  'crypto-orders',
  'orders',
  'fiat-refunds',
  'simulate-webhook',
] as const

/** Those that name none. */
export const orderlessOperations = ['webhook-url', 'access-token'] as const

/** A word for calls. */
export type CallWord = (typeof orderOperations)[number] | (typeof orderlessOperations)[number]

/** Before all checks, after N18's checks with nothing stored, or when all is stored. */
export const faultStages = ['unchecked', 'before', 'stored'] as const
export type FaultStage = (typeof faultStages)[number]

/** Statuses whose answers have no body. */
export const bodiless: readonly number[] = [204, 205, 304]

/** What is done to a call instead of answering it well. */
export interface AnswerEffect {
  /** null for the status that the answer has anyway. */
  readonly status: number | null
  /** As it is sent; null for the usual one. */
  readonly body: string | null
  /** Added to those of the answer; names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  /** How long it is waited, on the client's clock, before anything is done or answered. */
  readonly delayMs: number
  /** How the answer leaves: as usual, broken off after half its body, as a TCP reset, or not at all. */
  readonly leaves: 'whole' | 'cut' | 'reset' | 'never'
  /** With `never`: after how long the connection is closed; null for not at all. */
  readonly closedAfterMs: number | null
  /** How long it is waited on the wall clock, whatever the client's clock does; `drawn`: 50 to 400 ms, by the seed. */
  readonly wallMs?: number | 'drawn' | undefined
  /** The answer waits until the first webhook of the order has been answered. */
  readonly afterWebhook?: true | undefined
  /** What the answer shows instead of the truth, or beside it. */
  readonly shows?: Shown | undefined
}

/** `new-fields`: fields that nobody knows. `behind`: CREATED, though the order is final. `unknown-status`: a status that
 *  nobody documents, though the order is CREATED. */
export type Shown = 'new-fields' | 'behind' | 'unknown-status'

/** How the service answers some calls about an order. */
export interface AnswerRule {
  readonly on: readonly CallWord[]
  readonly when: FaultStage
  readonly effect: AnswerEffect
  /** So many calls that it fits are let pass first. */
  readonly skip: number
  /** How many calls it answers; null for all. */
  readonly times: number | null
  /** How long it holds, from the first call that it fits; null for ever. */
  readonly forMs: number | null
  /** Only for calls about orders that are CREATED (`open`), or only about those that nothing follows (`final`). */
  readonly orders?: 'open' | 'final' | undefined
  /** The behaviour of a sweep that the rule is part of. */
  readonly by?: string | undefined
}

/** Stands for whichever status the order ends with. */
export const anyFinal = '(final)'

/** `pretty`: indented, with its fields in another order. `null-error`: `errorCode` is null where there is no error. */
export type Spelling = 'pretty' | 'null-error'

/** `unknown-event`: of an `eventType` that nobody documents. `unknown-order`: about an order that does not exist.
 *  `other-client`: another client's, signed with that client's secret. */
export type Companion = 'unknown-event' | 'unknown-order' | 'other-client'

/** What is particular about a webhook; what is not said is as it should be. */
export interface WebhookTreatment {
  /** How much later it leaves. */
  readonly delayMs?: number | undefined
  /** Further copies, one after the other. */
  readonly duplicate?: number | undefined
  /** From one of those to the next. */
  readonly apartMs?: number | undefined
  /** They come within a second, so that they reach the test that made the order. */
  readonly hurried?: boolean | undefined
  /** Further copies in the very moment of the first. */
  readonly simultaneous?: number | undefined
  /** Whether the copies have a `webhook-id` each. */
  readonly freshIds?: boolean | undefined
  /** Sent instead of what it should say, in no format. */
  readonly body?: string | undefined
  /** Merged into what it should say. */
  readonly patch?: JsonMembers | undefined
  /** The same JSON, written otherwise. */
  readonly spelling?: Spelling | undefined
  /** Another webhook, which leaves right after it. */
  readonly companion?: Companion | undefined
  /** How often it is tried at most. */
  readonly attempts?: number | undefined
  readonly faults?: PlannedFaults | undefined
}

/** How webhooks of an order leave. Of several rules about one, the later one holds, member by member. */
export interface WebhookRule extends WebhookTreatment {
  /** The `orderStatus` it is about; left out for every webhook that tells of a change. */
  readonly of?: string | undefined
  readonly drop?: boolean | undefined
  /** It leaves once this `orderStatus` has been told, or `anyFinal` of them. */
  readonly after?: string | undefined
  /** It leaves at the same moment as the webhook before it, of whatever status. */
  readonly beside?: boolean | undefined
  /** It does not wait until the create call has been answered (S19). */
  readonly early?: boolean | undefined
  /** The behaviour of a sweep that the rule is part of. */
  readonly by?: string | undefined
}

/** A webhook beside those that tell of changes. No rule is about it. */
export interface ExtraWebhook extends WebhookTreatment {
  /** The `orderStatus` it claims; null for the order's own. */
  readonly status: string | null
}

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

/** What became of an added scenario file while the emulator runs. */
export interface ScenarioNews {
  readonly id: string
  readonly file: string
  /** `broken`: its last good version stays in use. `unwatched`: changes in this folder will not be seen. */
  readonly change: 'added' | 'changed' | 'removed' | 'broken' | 'unwatched'
  /** Of what is broken or unwatched. */
  readonly problems: readonly SourceProblem[]
}

/** The parts of the scenario's random mix that an order gets. They follow from the seed, the client and the
 *  requestId alone, so that a seed repeats a run whatever else there is.
 *  @param key what tells the order: seed, clientId, requestId */
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

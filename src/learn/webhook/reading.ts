import { defaultSettings } from '../../domain/choices/settings.ts'
import { orderEventType } from '../../domain/order/statuses.ts'
import { templatesOf } from '../../domain/webhook/read-events.ts'
import type { Evidence } from '../evidence/evidence.ts'
import { fieldsOf } from '../evidence/read-call.ts'
import { type Events, eventsIn, type SeenEvent } from './events.ts'
import { type Facts, factsOf } from './facts.ts'
import { type Inversion, inverted } from './inversion.ts'
import { type Leaves, leavesOf, sameJson } from './leaves.ts'
import { cryptoTypesIn } from './legs.ts'
import { type Mismatch, mismatch } from './match.ts'
import { readStatuses, type SeenStatuses } from './statuses.ts'
import { readTypes, type SeenTypes } from './types.ts'

/** A body without a template of its own. */
export type FixedForm = 'flat' | 'envelope'

/** Everything that the bodies of webhooks say. */
export interface Bodies extends Events {
  /** How the events are written. `template`: in another form than the fixed ones. */
  readonly form: FixedForm | 'template' | null
  /** Whether the events are the claims of tokens. */
  readonly isToken: boolean
  /** Events that a template can be read from: those about known statuses and with known event types. */
  readonly plain: readonly SeenEvent[]
  readonly statuses: SeenStatuses
  readonly types: SeenTypes
  readonly leaves: ReadonlyMap<SeenEvent, Leaves>
  readonly facts: ReadonlyMap<SeenEvent, Facts>
  /** The `orderType` of crypto legs in webhooks. */
  readonly cryptoTypes: ReadonlySet<string>
  /** The UTC offset of the times in all answers; null if no answer has one. */
  readonly offset: string | null
  /** What explains the bodies about orders. */
  readonly ofOrders: Inversion
  /** What explains the bodies about refunds, if they have another template; null if they have the same one. */
  readonly ofRefunds: Inversion | null
  /** The events about refunds that the template of events about orders explains. */
  readonly likeOrders: readonly SeenEvent[]
}

const read = new WeakMap<Evidence, Bodies>()

/** Reads the bodies of all webhooks, once for all rules. */
export function bodiesIn(evidence: Evidence): Bodies {
  const known = read.get(evidence)
  if (known !== undefined) return known
  const bodies = readBodies(evidence)
  read.set(evidence, bodies)
  return bodies
}

/** The forms of bodies as templates. */
export const fixedForms: { readonly [Form in FixedForm]: unknown } = {
  flat: templatesOf({ ...defaultSettings, 'webhook.format': 'flat' })[0],
  envelope: templatesOf({ ...defaultSettings, 'webhook.format': 'envelope' })[0],
}

function readBodies(evidence: Evidence): Bodies {
  const seen = eventsIn(evidence)
  const { events } = seen
  const leaves = new Map(events.map((event) => [event, leavesOf(event.content, isValueOf(event))]))
  const statuses = readStatuses(leaves)
  const types = readTypes(leaves, statuses)
  const own = types.isStatus ? { ...statuses, place: null, words: new Map() } : statuses
  const offset = offsetOf(evidence)
  const cryptoTypes = cryptoTypesIn(leaves)
  const factsUnder = (some: SeenStatuses) =>
    new Map(
      events.map((event) => [event, factsOf(event, some, { types: types.words, cryptoTypes }, evidence)]),
    )
  const plain = events.filter((event) => !statuses.unknown.has(event) && !types.unknown.has(event))
  const facts = factsUnder(own)
  const fixed = fixedFormOf(plain, facts, offset)
  const isLower = [...own.words].every(([status, text]) => text === status.toLowerCase())
  const templated = isLower ? factsUnder({ ...own, words: new Map() }) : facts
  const refunds = plain.filter((event) => statuses.refunds.has(event))
  const invert = (some: readonly SeenEvent[]) => inverted(some, { leaves, facts: templated, offset })
  const ofAll = invert(plain)
  const isOne = refunds.length === 0 || ofAll.state !== 'unknown'
  const ofOrders = isOne ? ofAll : invert(plain.filter((event) => !statuses.refunds.has(event)))
  const likeOrders = refunds.filter((event) => isExplained(event, ofOrders, { facts: templated, offset }))
  const isShared = isOne || likeOrders.length === refunds.length
  const form = fixed !== null && !explainsMore(fixed, plain, { facts, offset, ofAll }) ? fixed : 'template'
  const isToken = tokensIn(events)
  return {
    ...seen,
    ...{ plain, statuses: own, types, leaves, cryptoTypes, offset, ofOrders, isToken, likeOrders },
    facts: form === 'template' ? templated : facts,
    form: plain.length === 0 ? null : form,
    ofRefunds: isShared ? null : invert(refunds),
  }
}

/** Whether a template that was read back explains an event, apart from the fields that it leaves open. */
function isExplained(
  event: SeenEvent,
  { template, places }: Inversion,
  context: Pick<Bodies, 'facts' | 'offset'>,
): boolean {
  const open = new Set(
    places.filter(({ state }) => state === 'open' || state === 'unexplained').map(({ key }) => key),
  )
  const { misfits, extras } = compared(template, event, context)
  return [...misfits, ...extras].every((key) => open.has(key))
}

/** Whether a value of a body is one of an order, although it has parts. */
function isValueOf({ order: { request } }: SeenEvent): (value: unknown) => boolean {
  const whole = [request.metadata, request.billingData].filter(
    (each) => Object.keys(fieldsOf(each)).length > 0,
  )
  return (value) => whole.some((each) => sameJson(each, value))
}

function tokensIn(events: readonly SeenEvent[]): boolean {
  const tokens = events.filter(({ tokenPlace: place }) => place === 'body' || place === 'beside')
  return tokens.length > 0 && tokens.length * 10 >= events.length * 9
}

/** The UTC offset in the answers to create calls; null if they disagree. */
function offsetOf({ orders }: Evidence): string | null {
  const offsets = new Set(
    orders.flatMap(({ answer }) => {
      const { expiryTs } = fieldsOf(answer.offerInfoData)
      return typeof expiryTs === 'string' ? (/[+-]\d\d:\d\d$/.exec(expiryTs)?.[0] ?? []) : []
    }),
  )
  const [only] = offsets
  return offsets.size === 1 ? (only ?? null) : null
}

/** How an event differs from a template. */
export const compared = (
  template: unknown,
  event: SeenEvent,
  { facts, offset }: Pick<Bodies, 'facts' | 'offset'>,
): Mismatch => {
  const own = facts.get(event)
  return own === undefined ? { misfits: [], extras: [] } : mismatch(template, event.content, own, offset)
}

/** How an event differs from a template that somebody claims. Where no field is known to be the event type, the words
 *  for it are not known either. In batches, the elements of a list go alone. */
export function comparedToClaim(template: unknown, event: SeenEvent, bodies: Bodies): Mismatch {
  const { facts, offset, types, list } = bodies
  const own = facts.get(event)
  const [only, ...others] = Array.isArray(template) ? template : []
  const part = list === 'several' && Array.isArray(template) && others.length === 0 ? only : template
  if (own === undefined) return { misfits: [], extras: [] }
  const open = types.place === null ? { ...own, eventType: { kind: 'open' } as const } : own
  return mismatch(part, event.content, open, offset)
}

function fixedFormOf(
  events: readonly SeenEvent[],
  facts: ReadonlyMap<SeenEvent, Facts>,
  offset: string | null,
): FixedForm | null {
  const forms: readonly FixedForm[] = ['flat', 'envelope']
  const fits = (form: FixedForm) =>
    events.filter((event) => compared(fixedForms[form], event, { facts, offset }).misfits.length === 0)
  return forms.find((form) => events.length > 0 && fits(form).length * 10 >= events.length * 9) ?? null
}

/** Whether a template explains fields of every body that a fixed form does not have. */
function explainsMore(
  form: FixedForm,
  events: readonly SeenEvent[],
  { facts, offset, ofAll }: { facts: ReadonlyMap<SeenEvent, Facts>; offset: string | null; ofAll: Inversion },
): boolean {
  const extended = events.filter(
    (event) => compared(fixedForms[form], event, { facts, offset }).extras.length > 0,
  )
  return extended.length * 2 > events.length && ofAll.state === 'decided'
}

/** The event type of most webhooks. */
export const usualType = orderEventType

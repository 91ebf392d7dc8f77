import { printedOrderStatuses } from '../../../domain/order/statuses.ts'
import { isMapping } from '../../../domain/text/objects.ts'
import { eventWord, wordOf } from '../../../domain/webhook/words.ts'
import type { Sight } from '../../elimination/eliminate.ts'
import type { Finding } from '../../elimination/finding.ts'
import { fieldsOf } from '../../evidence/read-call.ts'
import { concluded } from '../../webhook/conclusion.ts'
import type { SeenEvent } from '../../webhook/events.ts'
import { type Bodies, bodiesIn, usualType } from '../../webhook/reading.ts'
import { statusesOfRefunds } from '../../webhook/statuses.ts'
import type { Context, Rule } from '../rule.ts'

/** The words of webhooks for statuses and events. */
export const webhookWords: Rule = {
  settings: ['words.webhook', 'words.events'],
  learn: (evidence, context) => {
    const bodies = bodiesIn(evidence)
    return [statusWords(bodies, context), eventWords(bodies, context)]
  },
}

/** Statuses that every service has: a word for one of them has to be seen, or it is not known. */
const needed = printedOrderStatuses

/** The number of orders with an event of a status. */
const unitsWith = (status: string, { statuses, plain }: Bodies): number =>
  new Set(plain.filter((event) => statuses.statusOf.get(event) === status).map(({ unit }) => unit)).size

interface Coverage {
  readonly state: 'decided' | 'likely' | 'unknown'
  readonly units: number
  readonly missing: readonly string[]
}

/** Whether enough statuses were seen to know all words. Those of refunds matter if refunds have webhooks. */
function coverage(bodies: Bodies, { found }: Context): Coverage {
  // A status that webhooks leave out may have a word all the same.
  const wanted = [...needed, ...(found('webhook.refunds') === 'event' ? ['REFUND_INITIATED'] : [])]
  const missing = wanted.filter((status) => unitsWith(status, bodies) === 0)
  const units = Math.min(
    ...wanted.filter((status) => !missing.includes(status)).map((one) => unitsWith(one, bodies)),
  )
  const state = missing.length > 0 ? 'unknown' : 'decided'
  return { state, units: Number.isFinite(units) ? units : 0, missing }
}

const isMap = (value: unknown): value is Record<string, string> =>
  isMapping(value) && Object.values(fieldsOf(value)).every((each) => typeof each === 'string')

function statusWords(bodies: Bodies, context: Context): Finding {
  const { statuses, plain, leaves, form } = bodies
  const { place } = statuses
  const setting = 'words.webhook'
  const { state, units, missing } = coverage(bodies, context)
  const decide =
    missing.length === 0
      ? 'a second order of each status'
      : `a webhook about an order that is ${missing.join(' or ')}`
  if (place === null)
    return concluded(
      { setting, state: 'unknown', units: 0, evidence: noneWords(bodies, 'status'), decide, sights: [] },
      context.claims,
    )
  const words = form === 'template' && isLowerCase(bodies) ? [] : [...statuses.words]
  const value = Object.fromEntries(words.filter(([status, word]) => status !== word))
  const sights = plain.flatMap((event): Sight[] => {
    const status = statuses.statusOf.get(event)
    const text = leaves.get(event)?.get(place)
    if (status === undefined || typeof text !== 'string' || statuses.refunds.has(event)) return []
    return [
      {
        ...{ source: event.source, unit: event.unit, words: `${status} is written \`${text}\`` },
        allows: (claimed) => !isMap(claimed) || isWritten(wordOf(status, claimed), text, form),
      },
    ]
  })
  const seen = [...statuses.words].map(([status, word]) => `${status} as \`${word}\``).join(', ')
  return concluded(
    { setting, state, value, units, decide, evidence: `webhooks write ${seen}`, sights },
    context.claims,
  )
}

/** Whether a word is written as a text: a template can change its case. */
const isWritten = (word: string, text: string, form: Bodies['form']): boolean =>
  word === text || (form === 'template' && (word.toLowerCase() === text || word.toUpperCase() === text))

/** Whether all words are those of the API specification in lower case, as a template writes them. */
const isLowerCase = ({ statuses }: Bodies): boolean =>
  [...statuses.words].every(([status, word]) => word === status.toLowerCase())

const noneWords = ({ plain }: Bodies, what: string): string =>
  plain.length === 0
    ? 'no webhook in the capture is about an order that it shows'
    : `no field of the webhooks follows from the ${what === 'status' ? 'status of the order' : what}`

function eventWords(bodies: Bodies, context: Context): Finding {
  const { types, statuses, plain, leaves, form } = bodies
  const setting = 'words.events'
  const { state, units, missing } = coverage(bodies, context)
  const decide =
    missing.length === 0
      ? 'a second order of each status'
      : `a webhook about an order that is ${missing.join(' or ')}`
  const { place } = types
  if (place === null)
    return concluded(
      { setting, state: 'unknown', units: 0, evidence: noneWords(bodies, 'event type'), decide, sights: [] },
      context.claims,
    )
  const sights = plain.flatMap((event): Sight[] => {
    const status = statuses.statusOf.get(event)
    const text = leaves.get(event)?.get(place)
    if (status === undefined || typeof text !== 'string') return []
    return [
      {
        ...{ source: event.source, unit: event.unit },
        words: `the event type of ${status} is \`${text}\``,
        allows: (claimed) =>
          !isMap(claimed) || isWritten(typeUnder(claimed, event, status, bodies), text, form),
      },
    ]
  })
  const all = [...types.words]
  const own = all.filter(([, word]) => word !== usualType)
  const value = Object.fromEntries(own)
  const seen = all.map(([status, word]) => `${status} is \`${word}\``).join(', ')
  const evidence = `event types in webhooks: ${seen}`
  const ofRefunds = statusesOfRefunds(statuses)
  const others = ambiguous(value, own, ofRefunds)
  const [best = value] = others.filter(() => own.filter(([status]) => ofRefunds.has(status)).length > 1)
  if (others.length > 0 && state === 'decided')
    return concluded(
      {
        ...{ setting, state: 'likely', value: best, units, sights, left: [value, ...others] },
        evidence: `${evidence}; a setting can say this in several ways`,
        decide: 'a webhook about a status that was not seen yet',
      },
      context.claims,
    )
  return concluded({ setting, state, value, units, decide, evidence, sights }, context.claims)
}

/** The event type of an event under a claimed setting. */
function typeUnder(
  claimed: Record<string, string>,
  event: SeenEvent,
  status: string,
  { statuses }: Bodies,
): string {
  return eventWord(
    usualType,
    { status, isRefund: statuses.refunds.has(event) },
    { 'words.webhook': {}, 'words.events': claimed },
  )
}

/** Other values with the same words for all statuses that were seen: several orders with one word, or refunds. */
function ambiguous(
  value: Readonly<Record<string, string>>,
  own: readonly (readonly [string, string])[],
  refundStatuses: ReadonlySet<string>,
): Record<string, string>[] {
  const ofOrders = own.filter(([status]) => !refundStatuses.has(status))
  const ofRefunds = own.filter(([status]) => refundStatuses.has(status))
  const [refund] = ofRefunds
  const others: Record<string, string>[] = []
  if (refund !== undefined && new Set(ofRefunds.map(([, word]) => word)).size === 1)
    others.push({ ...Object.fromEntries(ofOrders), refund: refund[1] })
  const [first] = ofOrders
  if (first !== undefined && ofOrders.length >= 2 && new Set(ofOrders.map(([, word]) => word)).size === 1)
    others.push({ ...Object.fromEntries(ofRefunds), other: first[1] })
  return others.filter((other) => JSON.stringify(other) !== JSON.stringify(value))
}

import type { SettingName } from '../../../domain/choices/settings.ts'
import { finalOrderStatuses } from '../../../domain/order/statuses.ts'
import type { Sight } from '../../elimination/eliminate.ts'
import type { Claims, Finding } from '../../elimination/finding.ts'
import { concluded } from '../../webhook/conclusion.ts'
import type { SeenEvent } from '../../webhook/events.ts'
import type { Inversion } from '../../webhook/inversion.ts'
import { placeWords } from '../../webhook/leaves.ts'
import { type Bodies, bodiesIn, comparedToClaim } from '../../webhook/reading.ts'
import { strangeIn } from '../../webhook/strange.ts'
import { readTemplateText } from '../../webhook/template-text.ts'
import type { Rule } from '../rule.ts'

/** The JSON of webhook bodies in the format `template`, read back from bodies. */
export const webhookTemplate: Rule = {
  settings: ['webhook.template', 'webhook.refundTemplate'],
  learn: (evidence, { claims }) => {
    const bodies = bodiesIn(evidence)
    return [orderTemplate(bodies, claims), refundTemplate(bodies, claims)]
  },
  unexplained: (evidence) => strangeIn(bodiesIn(evidence)),
}

const unitsOf = (events: readonly SeenEvent[]): number => new Set(events.map(({ unit }) => unit)).size

function orderTemplate(bodies: Bodies, claims: Claims): Finding {
  const { plain, form, isToken, ofOrders, statuses, list } = bodies
  const setting = 'webhook.template'
  const ofOrder = plain.filter((event) => !statuses.refunds.has(event))
  const about = {
    setting,
    units: unitsOf(ofOrder),
    decide: 'a webhook about an order that the capture shows',
  } as const
  if (form !== 'template' || isToken)
    return concluded({ ...about, state: 'unknown', evidence: unused(bodies), sights: [] }, claims)
  const sights = ofOrder.flatMap((event) => sightOf(event, bodies, ofOrder, claims, setting))
  const missing = finalOrderStatuses.filter(
    (status) => !ofOrder.some((event) => statuses.statusOf.get(event) === status),
  )
  const open = openWords(ofOrders)
  if (list === 'single')
    return concluded(
      {
        ...about,
        ...{ state: 'unknown', sights, left: [ofOrders.template], decide: 'two events in one second' },
        evidence: 'each body is a list of one event, which a template and `webhook.batch` can both make',
      },
      claims,
    )
  if (ofOrders.state === 'unknown')
    return concluded({ ...about, ...open, state: 'unknown', left: [ofOrders.template], sights }, claims)
  const state = ofOrders.state === 'decided' && missing.length === 0 ? 'decided' : 'likely'
  const evidence = `${ofOrder.length} webhooks: ${ofOrders.places.length} fields, each of one value in all of them`
  const decide = missing.length > 0 ? `a webhook about an order that is ${missing.join(' or ')}` : open.decide
  return concluded({ ...about, state, value: ofOrders.template, evidence, decide, sights }, claims)
}

const unused = ({ form, isToken }: Bodies): string =>
  form === null
    ? 'no webhook in the capture is about an order that it shows'
    : `bodies have the form \`${isToken ? 'jwt' : form}\`, which has no template`

/** What is not decided about bodies, and the observation that would decide. */
function openWords({ places }: Inversion): { evidence: string; decide: string } {
  const open = places.filter(({ state }) => state === 'open' || state === 'unexplained')
  const [first = places.find(({ state }) => state === 'likely')] = open
  if (first === undefined) return { evidence: 'no field was seen', decide: 'a second webhook' }
  const name = placeWords(first.key)
  if (first.state === 'likely' && first.possible.length === 1)
    return {
      evidence: `\`${name}\` may be something else`,
      decide: `a webhook in which \`${name}\` has another value`,
    }
  const all = first.possible.map((each) => JSON.stringify(each)).join(', ')
  return first.possible.length === 0
    ? {
        evidence: `nothing explains \`${name}\`: ${JSON.stringify(first.example)}`,
        decide: `what \`${name}\` means`,
      }
    : { evidence: `\`${name}\` may be ${all}`, decide: `a webhook in which these differ: ${all}` }
}

/** One webhook as a test of a claimed template. Fields that most bodies have belong to the template. */
function sightOf(
  event: SeenEvent,
  bodies: Bodies,
  events: readonly SeenEvent[],
  claims: Claims,
  setting: SettingName,
): Sight[] {
  const isOther = (claims.get('webhook.format') ?? 'template') !== 'template'
  if (isOther || !claims.has(setting)) return []
  const differing = (value: unknown): readonly string[] => {
    const template = readTemplateText(
      value ?? (setting === 'webhook.refundTemplate' ? claims.get('webhook.template') : null),
    )
    if (template === undefined) return []
    const { misfits, extras } = comparedToClaim(template, event, bodies)
    const usual = extras.filter((key) => {
      const having = events.filter((each) => bodies.leaves.get(each)?.has(key) === true)
      return having.length * 2 > events.length
    })
    return [...misfits, ...usual]
  }
  const [first] = differing(claims.get(setting))
  const words =
    first === undefined
      ? 'the body is filled from the template'
      : `\`${placeWords(first)}\` is ${JSON.stringify(bodies.leaves.get(event)?.get(first)) ?? 'left out'}`
  return [{ source: event.source, unit: event.unit, words, allows: (value) => differing(value).length === 0 }]
}

function refundTemplate(bodies: Bodies, claims: Claims): Finding {
  const { plain, form, isToken, ofOrders, ofRefunds, likeOrders, statuses, list } = bodies
  const setting = 'webhook.refundTemplate'
  const events = plain.filter((event) => statuses.refunds.has(event))
  const decide = 'webhooks about refunds of two orders, each of a part of the amount'
  const about = { setting, units: unitsOf(events), decide } as const
  if (form !== 'template' || isToken)
    return concluded({ ...about, state: 'unknown', evidence: unused(bodies), sights: [] }, claims)
  if (events.length === 0)
    return concluded(
      { ...about, state: 'unknown', evidence: 'no webhook is about a refund', sights: [] },
      claims,
    )
  const sights = events.flatMap((event) => sightOf(event, bodies, events, claims, setting))
  if (ofRefunds === null) {
    const state = list !== 'single' && ofOrders.state === 'decided' ? 'decided' : 'likely'
    const evidence = `${events.length} webhooks about refunds have the body of all webhooks`
    const units = unitsOf(events.filter((event) => tellsAmounts(event, bodies)))
    return concluded({ ...about, units, state, value: null, evidence, sights }, claims)
  }
  // One webhook that differs may be a fault.
  const units = unitsOf(events.filter((event) => !likeOrders.includes(event)))
  if (likeOrders.length > 0 && units < 2)
    return concluded(
      {
        ...{ ...about, state: 'unknown', sights, left: [null, ofRefunds.template] },
        evidence: `${likeOrders.length} of ${events.length} webhooks about refunds have the body of all webhooks`,
      },
      claims,
    )
  const single = {
    evidence: 'each body is a list of one event, which a template and `webhook.batch` can both make',
    decide: 'two events in one second',
  }
  const open = list === 'single' ? single : openWords(ofRefunds)
  if (ofRefunds.state === 'unknown' || list === 'single')
    return concluded({ ...about, ...open, state: 'unknown', left: [ofRefunds.template], sights }, claims)
  // A value that no refunded order had may be in the template all the same.
  const unseen = namesIn(ofOrders.template).filter(
    (name) => events.every((event) => bodies.facts.get(event)?.[name].kind === 'none') && isOptional(name),
  )
  const state = ofRefunds.state === 'decided' && unseen.length === 0 ? 'decided' : 'likely'
  const evidence = `${events.length} webhooks about refunds: ${ofRefunds.places.length} fields, each of one value in all of them`
  const [first] = unseen
  return concluded(
    {
      ...about,
      ...{ units, state, value: ofRefunds.template, evidence, sights },
      decide: first === undefined ? decide : `a refund of an order with \`${first}\``,
    },
    claims,
  )
}

/** Whether the amount in an event about a refund shows which one it is: that of the order or that of the refund. */
function tellsAmounts(event: SeenEvent, { ofOrders, facts }: Bodies): boolean {
  if (!JSON.stringify(ofOrders.template).includes('${fiatAmount')) return true
  const own = facts.get(event)
  if (own?.fiatAmount.kind !== 'is' || own.refundAmount.kind !== 'is') return false
  const { values } = own.refundAmount
  return !own.fiatAmount.values.some((amount) => values.includes(amount))
}

const optional = [
  ...(['metadata', 'billingData', 'userId', 'firstName', 'lastName', 'phoneNumber'] as const),
  ...(['userMessage', 'requestDescription', 'paymentMethodId', 'interval'] as const),
]

const namesIn = (template: unknown): (typeof optional)[number][] => {
  const text = JSON.stringify(template)
  return optional.filter((name) => text.includes(`\${${name}}`))
}

const isOptional = (name: string): boolean => optional.some((each) => each === name)

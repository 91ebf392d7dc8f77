import { parseDuration } from '../../../domain/text/duration.ts'
import { isMapping } from '../../../domain/text/objects.ts'
import { eliminate, measure, type Sight, type Span } from '../../elimination/eliminate.ts'
import type { Claims, Finding } from '../../elimination/finding.ts'
import { fieldsOf } from '../../evidence/read-call.ts'
import { concluded } from '../../webhook/conclusion.ts'
import type { SeenEvent, SeenList } from '../../webhook/events.ts'
import { explain } from '../../webhook/invert.ts'
import { assembled, keyOf, leavesOf } from '../../webhook/leaves.ts'
import { timesOf } from '../../webhook/match.ts'
import { type Bodies, bodiesIn } from '../../webhook/reading.ts'
import { nameOf, refundsOf } from '../../webhook/statuses.ts'
import type { Rule } from '../rule.ts'

/** Whether a webhook has several events: how many at most, within which time, and the body around them. */
export const webhookBatch: Rule = {
  settings: ['webhook.batch'],
  learn: (evidence, { claims }) => [batchFinding(bodiesIn(evidence), claims)],
}

const setting = 'webhook.batch'

function batchFinding(bodies: Bodies, claims: Claims): Finding {
  const { list, lists, events } = bodies
  if (list === 'none') {
    const sights = events.map(
      ({ source, unit }): Sight => ({
        ...{ source, unit, words: 'the body is one event, without a list' },
        allows: (value) => value === null,
      }),
    )
    const question = {
      ...({ setting, sights, candidates: sights.length === 0 ? [] : [null], isOpen: true } as const),
      evidence: (_: unknown, count: number) =>
        `webhooks of ${count} orders have one event each, without a list`,
      decide: 'a webhook about an order that the capture shows',
    }
    return eliminate(question, claims)
  }
  const sights = lists.map((each) => sightOf(each, list))
  const units = new Set(lists.map(({ webhook }) => webhook.attempts[0].source.place)).size
  const about = { setting, sights, units } as const
  if (list === 'single')
    return concluded(
      {
        ...{ ...about, state: 'unknown', left: [null], decide: 'two events in one second' },
        evidence: `${lists.length} webhooks have a list of one event, which a template can make as well`,
      },
      claims,
    )
  const sizes = lists.map(({ elements }) => elements.length)
  const max = Math.max(...sizes)
  const within = withinOf(bodies, max, claims)
  const duration = typeof within.value === 'string' ? (parseDuration(within.value) ?? 0) : null
  const full = lists.filter(
    (each) =>
      each.elements.length === max && duration !== null && waited(each, bodies).from < duration - slackMs,
  )
  const around = templateOf(bodies)
  const value = { max, within: within.value, ...(around.template !== null && { template: around.template }) }
  const after = duration === null ? 'at a time that is not decided' : within.evidence
  const evidenceWords = `${lists.length} webhooks have up to ${max} events, sent ${after}`
  if (duration === null || full.length < 2 || around.open !== null) {
    const decide =
      around.open ??
      (duration === null ? within.decide : `more than ${max} events in the time of one webhook`)
    return concluded(
      {
        ...about,
        state: 'unknown',
        left: [value],
        evidence: evidenceWords,
        decide: decide ?? 'more events at once',
      },
      claims,
    )
  }
  const state = within.state === 'known' ? 'decided' : 'likely'
  return concluded({ ...about, state, value, evidence: evidenceWords, decide: 'more events at once' }, claims)
}

/** One body with a list as a test of a claimed setting. */
function sightOf({ webhook, elements, field }: SeenList, kind: Bodies['list']): Sight {
  const { source } = webhook.attempts[0]
  return {
    ...{ source, unit: source.place, words: `the body has a list of ${elements.length} events` },
    allows: (value) => {
      if (value === null || value === undefined) return kind !== 'several'
      const { max, template } = fieldsOf(value)
      const own = Object.entries(fieldsOf(template)).find(([, each]) => each === '${events}')?.[0] ?? null
      const isPlaced = own === field || (own === null && isMapping(template))
      return isPlaced && (typeof max !== 'number' || elements.length <= max)
    },
  }
}

/** Clocks and networks make this difference. */
const slackMs = 250

/** How long the first event of a webhook waited. */
function waited({ webhook }: SeenList, bodies: Bodies): { from: number; to: number } {
  const own = bodies.events.filter((event) => event.webhook === webhook)
  const starts = own.map((event) => startOf(event, bodies))
  const at = own[0]?.at ?? 0
  const from = Math.min(...starts.map((each) => each.from))
  const to = Math.min(...starts.map((each) => each.to))
  return { from: at - to, to: at - from }
}

/** When an event happened: by its own time in the body, or by its create call. */
function startOf(event: SeenEvent, bodies: Bodies): { from: number; to: number } {
  const { ofOrders, leaves, statuses, offset } = bodies
  const place = ofOrders.places.find(({ text }) => typeof text === 'string' && text.startsWith('${eventTime'))
  const formats = String(place?.text ?? '')
    .slice(2, -1)
    .split(':')
    .slice(1)
  const [time] = place === undefined ? [] : timesOf(leaves.get(event)?.get(place.key), formats, offset)
  if (time !== undefined) return time
  const status = statuses.statusOf.get(event)
  const updated = event.order.lookups
    .flatMap(({ records }) => records)
    .filter((record) => record.orderId === event.orderId && record.orderStatus === status)
    .flatMap(({ updatedTs }) => (typeof updatedTs === 'number' ? updatedTs : []))
  const last = Math.max(...updated)
  if (Number.isFinite(last) && refundsOf(event).size === 0) return { from: last, to: last }
  const { created } = event.order
  if (created === null || status !== 'CREATED') return { from: -Infinity, to: Infinity }
  return { from: created.at, to: created.at + (created.ms ?? 1000) }
}

function withinOf(bodies: Bodies, max: number, claims: Claims): Finding {
  const spans = bodies.lists
    .filter(({ elements }) => elements.length < max)
    .flatMap((each): Span[] => {
      const { from, to } = waited(each, bodies)
      if (!Number.isFinite(from) || !Number.isFinite(to)) return []
      const { source } = each.webhook.attempts[0]
      return [
        {
          source,
          unit: source.place,
          words: `sent ${Math.round(from)} ms after its first event`,
          from: Math.max(1, from - slackMs),
          to: to + slackMs,
        },
      ]
    })
  const claimed = fieldsOf(claims.get(setting)).within
  return measure(
    {
      setting,
      spans,
      evidence: (value, count) => `${value} after the first (${count} webhooks)`,
      decide: 'a webhook with fewer events, and the time of the first',
    },
    new Map(claimed === undefined ? [] : [[setting, claimed]]),
  )
}

/** The body around the events, read back; `open` says what is not decided. */
function templateOf({ lists, events, facts, offset }: Bodies) {
  const [first] = lists
  if (first?.field == null) return { template: null, open: null }
  const bodies = lists.flatMap(({ webhook, field, elements }) => {
    const event = events.find((each) => each.webhook === webhook)
    const own = event === undefined ? undefined : facts.get(event)
    const around = Object.fromEntries(
      Object.entries(fieldsOf(webhook.json)).filter(([name]) => name !== field),
    )
    return event === undefined || own === undefined
      ? []
      : [{ event, own, count: elements.length, leaves: leavesOf(around) }]
  })
  const keys = new Set(bodies.flatMap(({ leaves }) => [...leaves.keys()]))
  const template = new Map<string, unknown>([[keyOf([first.field]), '${events}']])
  let open: string | null = null
  for (const key of keys) {
    if (key === keyOf([])) continue
    const isCount = bodies.every(({ leaves, count }) => Number(leaves.get(key)) === count)
    if (isCount) {
      template.set(
        key,
        bodies.every(({ leaves }) => typeof leaves.get(key) === 'number') ? '${count}' : '${count:text}',
      )
      continue
    }
    const occurrences = bodies.map(({ event, own, leaves }) => ({
      ...{ event, facts: own, leaf: leaves.get(key), later: [] },
    }))
    const { state, text } = explain(occurrences, nameOf(key), offset)
    const isNamed = typeof text === 'string' && /^\$\{(webhookId|deliveryId|eventTime)/.test(text)
    if (
      state === 'open' ||
      state === 'unexplained' ||
      (typeof text === 'string' && text.includes('${') && !isNamed)
    )
      open = `what \`${key}\` in the body means`
    template.set(key, typeof text === 'string' ? text.replace('${eventTime', '${sentTime') : text)
  }
  return { template: assembled(template), open }
}

import type { Sight } from '../../elimination/eliminate.ts'
import type { Evidence } from '../../evidence/evidence.ts'
import { fieldsOf } from '../../evidence/read-call.ts'
import type { Exchange } from '../../traffic/exchange.ts'
import { concluded } from '../../webhook/conclusion.ts'
import type { SeenEvent } from '../../webhook/events.ts'
import { type Explained, explain } from '../../webhook/invert.ts'
import { textFits } from '../../webhook/match.ts'
import { type Bodies, bodiesIn } from '../../webhook/reading.ts'
import { signaturesIn } from '../../webhook/signature-reading.ts'
import { isPlainHeader } from '../../webhook/signing.ts'
import type { Rule } from '../rule.ts'

/** The headers that webhooks have besides those of HTTP, of signatures and of tokens. */
export const webhookHeaders: Rule = {
  settings: ['webhook.headers'],
  learn: (evidence, { claims }) => {
    const bodies = bodiesIn(evidence)
    const setting = 'webhook.headers'
    const headers = ownHeaders(evidence, bodies)
    const events = eventsWithHeaders(bodies)
    const units = new Set(events.map(({ unit }) => unit)).size
    const open = headers.find(({ state }) => state === 'open' || state === 'unexplained')
    const likely = headers.find(({ state }) => state === 'likely')
    const value = Object.fromEntries(
      headers.flatMap(({ name, text }) => (text === undefined ? [] : [[name, text]])),
    )
    const sights = events.flatMap((event) => sightOf(event, headers, bodies, claims.get(setting)))
    const about = { setting, units, sights, value } as const
    if (units === 0)
      return [
        concluded(
          {
            ...about,
            state: 'unknown',
            evidence: 'no webhook in the capture has headers',
            decide: 'a webhook with its headers',
          },
          claims,
        ),
      ]
    if (open !== undefined) {
      const possible = open.possible.map((each) => JSON.stringify(each)).join(', ')
      const words =
        possible === ''
          ? `nothing explains the header \`${open.name}\`: ${open.example}`
          : `the header \`${open.name}\` may be ${possible}`
      const decide =
        possible === '' ? `what \`${open.name}\` means` : `a webhook in which these differ: ${possible}`
      return [concluded({ ...about, state: 'unknown', left: [value], evidence: words, decide }, claims)]
    }
    const state = likely === undefined ? 'decided' : 'likely'
    const names = headers.map(({ name }) => `\`${name}\``).join(', ')
    const words = `${units} orders have webhooks with ${headers.length === 0 ? 'no headers of their own' : `the headers ${names}`}`
    const decide = likely === undefined ? 'a second webhook' : `a webhook in which \`${likely.name}\` differs`
    return [concluded({ ...about, state, evidence: words, decide }, claims)]
  },
  unexplained: (evidence) => {
    const bodies = bodiesIn(evidence)
    return ownHeaders(evidence, bodies)
      .filter(({ state }) => state === 'unexplained')
      .map(({ name, count, of, example, source }) => ({
        ...{ what: `header ${name} of webhooks`, count, of, example, source },
      }))
  },
}

interface OwnHeader extends Explained {
  readonly name: string
  readonly count: number
  readonly of: number
  readonly example: string
  readonly source: Exchange['source']
}

const eventsWithHeaders = ({ plain }: Bodies): readonly SeenEvent[] => {
  const seen = new Set<SeenEvent['webhook']>()
  return plain.filter(({ webhook }) => {
    if (seen.has(webhook) || Object.keys(webhook.attempts[0].headers).length === 0) return false
    seen.add(webhook)
    return true
  })
}

/** The headers that belong to the signature, the token or an error of transport. */
function otherHeaders(evidence: Evidence): ReadonlySet<string> {
  const { names, recipe, ready } = signaturesIn(evidence)
  const ofReady = ready === 'standard' ? ['webhook-id', 'webhook-timestamp', 'webhook-signature'] : []
  const ofRecipe = recipe === null ? [] : [recipe.header, ...Object.keys(recipe.headers)]
  return new Set([...names, ...ofReady, ...ofRecipe])
}

function ownHeaders(evidence: Evidence, bodies: Bodies): OwnHeader[] {
  const others = otherHeaders(evidence)
  const events = eventsWithHeaders(bodies)
  const names = new Set(events.flatMap(({ webhook }) => Object.keys(webhook.attempts[0].headers)))
  const isBeside = (name: string) =>
    bodies.isToken &&
    events.some(({ webhook: { jwt } }) => jwt !== null && fieldsOf(jwt.place).header === name)
  return [...names].flatMap((name): OwnHeader[] => {
    if (others.has(name) || isPlainHeader(name) || isBeside(name)) return []
    const occurrences = events.flatMap((event) => {
      const facts = bodies.facts.get(event)
      const { attempts } = event.webhook
      if (facts === undefined) return []
      return [
        {
          ...{ event, facts, leaf: attempts[0].headers[name] },
          later: attempts.slice(1).flatMap(({ headers }) => headers[name] ?? []),
        },
      ]
    })
    const having = occurrences.filter(({ leaf }) => leaf !== undefined)
    const [first] = having
    // A header that one webhook has was added on its way.
    if (first === undefined || (having.length * 10 <= occurrences.length && occurrences.length >= 10))
      return []
    const place = name.replaceAll(/[^a-z]/g, '')
    // In a header, a number and its text are the same.
    const found = explain(occurrences.map(asNumbers), place, bodies.offset)
    const isSure = found.state === 'decided' || found.state === 'likely'
    const explained = isSure ? found : better(found, explain(occurrences, place, bodies.offset))
    return [
      {
        ...explained,
        text: explained.text === undefined ? undefined : String(explained.text),
        ...{ name, count: having.length, of: occurrences.length },
        ...{ example: String(first.leaf), source: first.event.source },
      },
    ]
  })
}

/** A header is text, also for a number. */
function asNumbers<T extends { readonly leaf: unknown; readonly later: readonly unknown[] }>(
  occurrence: T,
): T {
  const number = (value: unknown) =>
    typeof value === 'string' && /^(0|[1-9]\d{0,14})$/.test(value) ? Number(value) : value
  return { ...occurrence, leaf: number(occurrence.leaf), later: occurrence.later.map(number) }
}

const better = (one: Explained, other: Explained): Explained => {
  const ranks = ['unexplained', 'open', 'likely', 'decided']
  return ranks.indexOf(other.state) > ranks.indexOf(one.state) ? other : one
}

/** One webhook as a test of claimed headers. A header that most webhooks have belongs to the setting. */
function sightOf(
  { webhook, source, unit }: SeenEvent,
  headers: readonly OwnHeader[],
  bodies: Bodies,
  claimed: unknown,
): Sight[] {
  if (claimed === undefined) return []
  const event = bodies.plain.find((each) => each.webhook === webhook)
  const facts = event === undefined ? undefined : bodies.facts.get(event)
  if (facts === undefined) return []
  const sent = webhook.attempts[0].headers
  const differing = (value: unknown): string | undefined => {
    const templates = new Map(
      Object.entries(fieldsOf(value)).flatMap(([name, text]): [string, string][] =>
        typeof text === 'string' ? [[name.toLowerCase(), text]] : [],
      ),
    )
    const wrong = [...templates].find(([name, template]) => {
      const text = sent[name]
      const leaves = text === undefined ? [undefined, ''] : [text, Number(text)]
      return leaves.every((leaf) => textFits(template, leaf, facts, bodies.offset) === 'no')
    })
    const more = headers.find(
      ({ name, count, of }) => sent[name] !== undefined && !templates.has(name) && count * 2 > of,
    )
    return wrong?.[0] ?? more?.name
  }
  const name = differing(claimed)
  const words =
    name === undefined
      ? 'the headers are those of the setting'
      : `the header \`${name}\` is ${JSON.stringify(sent[name]) ?? 'left out'}`
  return [{ source, unit, words, allows: (value) => differing(value) === undefined }]
}

import { parsedJson } from '../evidence/parsed-json.ts'
import type { Source } from '../traffic/exchange.ts'
import type { SeenEvent } from './events.ts'
import type { Facts } from './facts.ts'
import { type Explained, explain } from './invert.ts'
import { assembled, type Leaves, leavesOf, pathOf } from './leaves.ts'
import { nameOf } from './statuses.ts'

/** A place in bodies, with what explains it. */
export interface ExplainedPlace extends Explained {
  readonly key: string
  /** The number of events that have it, and of all events. */
  readonly count: number
  readonly of: number
  readonly example: unknown
  readonly source: Source
}

/** What explains the bodies of some events. */
export interface Inversion {
  /** `decided` if only one template does, `likely` if others would in rare cases, `unknown` if something is open. */
  readonly state: 'decided' | 'likely' | 'unknown'
  /** What is explained, as a template. */
  readonly template: unknown
  readonly places: readonly ExplainedPlace[]
  /** Fields that a few bodies have, and that nothing explains: they are no part of the template. */
  readonly strays: readonly ExplainedPlace[]
}

/** Finds the template from which bodies were filled. */
export function inverted(
  events: readonly SeenEvent[],
  {
    leaves,
    facts,
    offset,
    isBody = true,
  }: {
    /** False for parts that are not compared with later attempts. */
    readonly isBody?: boolean
    readonly leaves: ReadonlyMap<SeenEvent, Leaves>
    readonly facts: ReadonlyMap<SeenEvent, Facts>
    readonly offset: string | null
  },
): Inversion {
  const keys = [...new Set(events.flatMap((event) => [...(leaves.get(event)?.keys() ?? [])]))]
  const all = keys.flatMap((key): ExplainedPlace[] => {
    const occurrences = events.flatMap((event) => {
      const own = facts.get(event)
      return own === undefined
        ? []
        : [
            {
              ...{ event, facts: own, leaf: leafAt(key, leaves.get(event)) },
              later: isBody ? laterAt(key, event) : [],
            },
          ]
    })
    const present = occurrences.filter(({ leaf }) => leaf !== undefined)
    const [first] = present
    if (first === undefined) return []
    const explained = explain(occurrences, nameOf(key), offset)
    const about = { count: present.length, of: occurrences.length, example: first.leaf }
    return [{ ...explained, ...about, key, source: first.event.source }]
  })
  const isStray = ({ state, count, of }: ExplainedPlace) =>
    state === 'unexplained' && of >= 10 && count * 10 <= of
  const places = all.filter((place) => !isStray(place))
  const states = new Set(places.map(({ state }) => state))
  const isOpen = places.length === 0 || states.has('open') || states.has('unexplained')
  const texts = places.flatMap(({ key, text, state }): [string, unknown][] =>
    state === 'unexplained' ? [] : [[key, text]],
  )
  return {
    state: isOpen ? 'unknown' : states.has('likely') ? 'likely' : 'decided',
    template: assembled(new Map(texts)),
    places,
    strays: all.filter(isStray),
  }
}

/** The leaf at a place. In a list, null stands for a value that is left out. */
function leafAt(key: string, leaves: Leaves | undefined): unknown {
  const leaf = leaves?.get(key)
  return leaf === null && typeof pathOf(key).at(-1) === 'number' ? undefined : leaf
}

/** What later attempts have at a place. A batch or a token is not taken apart again. */
function laterAt(key: string, { webhook, content }: SeenEvent): unknown[] {
  if (content !== webhook.json) return []
  return webhook.attempts.slice(1).flatMap(({ body }) => {
    const json = parsedJson(body)
    return json === undefined ? [] : [leafAt(key, leavesOf(json))]
  })
}

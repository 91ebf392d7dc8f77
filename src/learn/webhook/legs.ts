import type { SeenEvent } from './events.ts'
import type { Leaves } from './leaves.ts'

/** The `orderType` of all fiat legs, by the API specification. */
const fiatType = 'CHECKOUT'

/** Finds the `orderType` of crypto legs in webhooks: a text beside `CHECKOUT` at a place that has no third one, in
 *  webhooks of the same orders. Lookups need not show it. */
export function cryptoTypesIn(leavesOf: ReadonlyMap<SeenEvent, Leaves>): ReadonlySet<string> {
  const places = new Set([...leavesOf.values()].flatMap((leaves) => [...leaves.keys()]))
  return new Set([...places].flatMap((place) => otherType(place, leavesOf)))
}

function otherType(place: string, leavesOf: ReadonlyMap<SeenEvent, Leaves>): string[] {
  const having = [...leavesOf].flatMap(([{ unit }, leaves]) =>
    leaves.has(place) ? [{ unit, leaf: leaves.get(place) }] : [],
  )
  const [other, ...more] = [...new Set(having.map(({ leaf }) => leaf))].filter((leaf) => !isFiatType(leaf))
  if (typeof other !== 'string' || more.length > 0) return []
  const ofFiat = new Set(having.flatMap(({ unit, leaf }) => (isFiatType(leaf) ? [unit] : [])))
  const ofCrypto = new Set(having.flatMap(({ unit, leaf }) => (leaf === other ? [unit] : [])))
  const both = [...ofCrypto].filter((unit) => ofFiat.has(unit))
  return both.length * 2 > ofCrypto.size && ofFiat.size > 0 ? [other] : []
}

const isFiatType = (leaf: unknown): boolean => typeof leaf === 'string' && leaf.toUpperCase() === fiatType

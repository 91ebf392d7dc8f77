import { hash } from 'node:crypto'
import type { RandomMix, Scenario } from './scenario.ts'

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

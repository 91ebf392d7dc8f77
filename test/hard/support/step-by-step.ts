import { randomInt } from 'node:crypto'
import { sized } from './size.ts'

const atATime = 3
/** A part takes every fourth step, beginning with any of the first four: other steps in other runs. */
const every = sized({ whole: 1, part: 8 })

/** Kills at one step after the other, several programs at a time.
 *  @param killedAt answers null if there is no n-th step, from 1
 *  @returns all the others */
export async function stepByStep<T>(killedAt: (nth: number) => Promise<T | null>): Promise<T[]> {
  const kills: T[] = []
  let over = false
  let next = 1 + randomInt(every)
  const walk = async () => {
    while (!over) {
      const nth = next
      next += every
      const kill = await killedAt(nth)
      if (kill === null) over = true
      else kills.push(kill)
    }
  }
  await Promise.all(Array.from({ length: atATime }, walk))
  return kills
}

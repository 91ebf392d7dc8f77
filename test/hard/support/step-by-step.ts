const atATime = 6

/** Kills at the first step, at the second, and so on, several programs at a time.
 *  @param killedAt answers null if there is no n-th step
 *  @returns all the others */
export async function stepByStep<T>(killedAt: (nth: number) => Promise<T | null>): Promise<T[]> {
  const kills: T[] = []
  let over = false
  let next = 1
  const walk = async () => {
    while (!over) {
      const kill = await killedAt(next++)
      if (kill === null) over = true
      else kills.push(kill)
    }
  }
  await Promise.all(Array.from({ length: atATime }, walk))
  return kills
}

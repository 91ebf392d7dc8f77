/** Does something with each of many things, several at a time. @returns what came of each, in their order */
export async function eachOf<T, R>(
  things: readonly T[],
  act: (thing: T) => Promise<R>,
  atOnce = 8,
): Promise<R[]> {
  const results: R[] = []
  const left = things.entries()
  const worker = async () => {
    for (const [index, thing] of left) results[index] = await act(thing)
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
  return results
}

/** Does the same with several things at once. What the first of them throws is thrown once all have ended. */
export async function together<Thing>(
  things: readonly Thing[],
  act: (thing: Thing) => Promise<void>,
): Promise<void> {
  const ends = await Promise.allSettled(things.map(act))
  for (const end of ends) if (end.status === 'rejected') throw end.reason
}

import { ticked } from '../issue-words.ts'
import { nearest } from '../nearest.ts'
import { printedOrderStatuses } from '../statuses.ts'

/** What is wrong with an orderStatus that is nearly a printed one: a slip, which would pass for an unknown status.
 *  @returns undefined for a printed one, and for one that nobody could take for it */
export function slipIn(word: string): string | undefined {
  const near = printed.includes(word) ? undefined : nearest(word, printed)
  return near && `${ticked(word)} looks like a documented status; did you mean \`${near}\`?`
}

const printed: readonly string[] = printedOrderStatuses

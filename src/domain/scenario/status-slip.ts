import { ticked } from '../issue-words.ts'
import { didYouMean, nearest } from '../nearest.ts'

/** What is wrong with an orderStatus that is nearly a printed one: a slip, which would pass for an unknown status.
 *  @returns undefined for a printed one, and for one that nobody could take for it */
export function slipIn(word: string): string | undefined {
  if (printed.includes(word) || nearest(word, printed) === undefined) return undefined
  return `${ticked(word)} is nearly a status that the service prints${didYouMean(word, printed)}`
}

const printed = ['CREATED', 'COMPLETED', 'FAILED']

import type { CaseId } from '../report.ts'

/** What one case of a run has found out about an application, so that the others need not wait to find it out again.
 *  A case that runs alone knows nothing of it, and waits for as long as the configuration says. */
export interface Learned {
  /** It was told nothing of a payment, and did not find out by itself for as long as polling may take. */
  neverLooks: boolean
  /** It has released nothing for an order that was merely created, however long it was watched. */
  waitsForPayment: boolean
  /** It leaves every webhook without an answer. */
  answersNothing: boolean
  /** Case in which a start call has named an order from before; null if none has. */
  repeatedIn: CaseId | null
}

export const nothingLearned = (): Learned => ({
  neverLooks: false,
  waitsForPayment: false,
  answersNothing: false,
  repeatedIn: null,
})

import type { Case } from './case.ts'

/** What simpler cases have found already: an application that never releases anything, or that releases too early,
 *  fails K01; one that releases for each webhook fails one of K08 to K11. */
export const simplerFailures: NonNullable<Case['explainedBy']> = [
  { cases: ['K01'], defect: 'lost' },
  { cases: ['K01'], defect: 'wrong-status' },
  { cases: ['K01'], defect: 'premature' },
  { cases: ['K01', 'K08', 'K09', 'K10', 'K11'], defect: 'doubled' },
]

/** The same without ten copies at the same moment: what polls meanwhile may take part in that race, and then it is the
 *  polling that is wrong. */
export const whatWebhooksShow: NonNullable<Case['explainedBy']> = [
  ...simplerFailures.filter(({ defect }) => defect !== 'doubled'),
  { cases: ['K01', 'K08', 'K09', 'K11'], defect: 'doubled' },
]

/** One that releases again for a webhook that comes after it has found out by itself: wherever a webhook comes late. */
export const foundByLateWebhook: NonNullable<Case['explainedBy']> = [{ cases: ['K16'], defect: 'doubled' }]

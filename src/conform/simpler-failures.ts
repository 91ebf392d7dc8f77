import type { Case } from './case.ts'

/** What simpler cases have found already: an application that never releases anything, or that releases too early,
 *  fails K01; one that releases for each webhook fails one of K08 to K11. */
export const simplerFailures: NonNullable<Case['explainedBy']> = [
  { cases: ['K01'], defect: 'lost' },
  { cases: ['K01'], defect: 'wrong-status' },
  { cases: ['K01'], defect: 'premature' },
  { cases: ['K01', 'K08', 'K09', 'K10', 'K11'], defect: 'doubled' },
]

import type { Case } from './case.ts'

/** What simpler cases have found already: an application that never releases anything fails K01, and one that releases
 *  for each webhook K08 to K11. */
export const simplerFailures: NonNullable<Case['explainedBy']> = [
  { cases: ['K01'], defect: 'lost' },
  { cases: ['K01'], defect: 'wrong-status' },
  { cases: ['K01'], defect: 'premature' },
  { cases: ['K08', 'K09', 'K10', 'K11'], defect: 'doubled' },
]

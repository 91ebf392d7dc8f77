import type { CaseId, Defect } from '../report.ts'

/** Even in normal life an order has two webhooks, which may be worked on at the same time. */
const repeats: readonly CaseId[] = ['K08', 'K09', 'K10', 'K11', 'K12', 'K15']

/** What a simpler case finds where an application does not get through normal life, or believes what webhooks say. */
export const foundByBelief: readonly { cases: readonly CaseId[]; defect: Defect }[] = [
  { cases: ['K20'], defect: 'believed' },
  { cases: ['K01', 'K20'], defect: 'lost' },
  { cases: ['K01', 'K20'], defect: 'wrong-status' },
  { cases: ['K01', 'K20', ...repeats], defect: 'doubled' },
]

/** What a simpler case finds where an application does not get through normal life. */
export const foundInNormalLife: readonly { cases: readonly CaseId[]; defect: Defect }[] = [
  { cases: ['K01'], defect: 'lost' },
  { cases: ['K01'], defect: 'wrong-status' },
  { cases: ['K01', ...repeats], defect: 'doubled' },
  { cases: ['K01'], defect: 'premature' },
]

import type { Case } from '../case.ts'
import type { CaseId } from '../report.ts'

// What simpler cases have found already: then a case says nothing new.

type FoundBefore = NonNullable<Case['explainedBy']>

/** An application that never releases anything, or that releases too early, fails K01; one that releases for each webhook
 *  fails one of K08 to K11. */
export const simplerFailures: FoundBefore = [
  { cases: ['K01'], defect: 'lost' },
  { cases: ['K01'], defect: 'wrong-status' },
  { cases: ['K01'], defect: 'premature' },
  { cases: ['K01', 'K08', 'K09', 'K10', 'K11'], defect: 'doubled' },
]

/** The same without ten copies at the same moment: what polls meanwhile may take part in that race, and then it is the
 *  polling that is wrong. */
export const whatWebhooksShow: FoundBefore = [
  ...simplerFailures.filter(({ defect }) => defect !== 'doubled'),
  { cases: ['K01', 'K08', 'K09', 'K11'], defect: 'doubled' },
]

/** One that releases again for a webhook that comes after it has found out by itself: wherever a webhook comes late. */
export const foundByLateWebhook: FoundBefore = [{ cases: ['K16'], defect: 'doubled' }]

/** Even in normal life an order has two webhooks, which may be worked on at the same time. */
const repeats: readonly CaseId[] = ['K08', 'K09', 'K10', 'K11', 'K12', 'K15']

/** Where an application does not get through normal life, or believes what webhooks say. */
export const foundByBelief: FoundBefore = [
  { cases: ['K20'], defect: 'believed' },
  { cases: ['K01', 'K20'], defect: 'lost' },
  { cases: ['K01', 'K20'], defect: 'wrong-status' },
  { cases: ['K01', 'K20', ...repeats], defect: 'doubled' },
]

/** Where an application does not get through normal life. */
export const foundInNormalLife: FoundBefore = [
  { cases: ['K01'], defect: 'lost' },
  { cases: ['K01'], defect: 'wrong-status' },
  { cases: ['K01', ...repeats], defect: 'doubled' },
  { cases: ['K01'], defect: 'premature' },
]

import type { Case } from '../case.ts'
import type { CaseId } from '../report.ts'

// The cases that find a problem before a more complicated case does.

type FoundBefore = NonNullable<Case['explainedBy']>

/** An application that never fulfils orders, or fulfils them too early, fails K01; one that fulfils on each webhook
 *  fails one of K08 to K11. */
export const simplerFailures: FoundBefore = [
  { cases: ['K01'], defect: 'lost' },
  { cases: ['K01'], defect: 'wrong-status' },
  { cases: ['K01'], defect: 'premature' },
  { cases: ['K01', 'K08', 'K09', 'K10', 'K11'], defect: 'doubled' },
]

/** Like `simplerFailures` without K10, where a polling application may join the race of ten copies: then the polling
 *  is the problem. */
export const whatWebhooksShow: FoundBefore = [
  ...simplerFailures.filter(({ defect }) => defect !== 'doubled'),
  { cases: ['K01', 'K08', 'K09', 'K11'], defect: 'doubled' },
]

/** An application that fulfils again on a webhook after it has learned of the payment from a lookup: any late
 *  webhook shows it. */
export const foundByLateWebhook: FoundBefore = [{ cases: ['K16'], defect: 'doubled' }]

/** Even a normal order has two webhooks, which the application may process at the same time. */
const repeats: readonly CaseId[] = ['K08', 'K09', 'K10', 'K11', 'K12', 'K15']

/** Applications that fail a normal order, or trust the status in webhooks. */
export const foundByBelief: FoundBefore = [
  { cases: ['K20'], defect: 'believed' },
  { cases: ['K01', 'K20'], defect: 'lost' },
  { cases: ['K01', 'K20'], defect: 'wrong-status' },
  { cases: ['K01', 'K20', ...repeats], defect: 'doubled' },
]

/** Applications that fail a normal order. */
export const foundInNormalLife: FoundBefore = [
  { cases: ['K01'], defect: 'lost' },
  { cases: ['K01'], defect: 'wrong-status' },
  { cases: ['K01', ...repeats], defect: 'doubled' },
  { cases: ['K01'], defect: 'premature' },
]

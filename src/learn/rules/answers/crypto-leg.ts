import { isUnpaid } from '../../answers/payment-state.ts'
import { answeredBy, recordsOf } from '../../answers/records.ts'
import { onlyLikely } from '../../elimination/caution.ts'
import { eliminate, type Sight } from '../../elimination/eliminate.ts'
import type { Finding } from '../../elimination/finding.ts'
import type { Lookup, SeenOrder } from '../../evidence/evidence.ts'
import type { Rule } from '../rule.ts'

const candidates = ['always', 'after-payment', 'never'] as const
type When = (typeof candidates)[number]

/** When the crypto lookup lists a checkout order (N57). */
export const cryptoLeg: Rule = {
  settings: ['orders.cryptoLeg'],
  learn: ({ orders }, { claims }) => {
    const sights = orders.flatMap(sightsOf)
    const decide = 'crypto lookups of two orders, before and after they are paid'
    const finding = eliminate({ setting: 'orders.cryptoLeg', candidates, sights, decide }, claims)
    return [withTwoAgainstEach(finding, sights, decide)]
  },
}

/** Each value that fell away needs two orders that contradict it. */
function withTwoAgainstEach(finding: Finding, sights: readonly Sight[], decide: string): Finding {
  const isThin = finding.excluded.some(
    ({ value }) => new Set(sights.filter(({ allows }) => !allows(value)).map(({ unit }) => unit)).size < 2,
  )
  return isThin ? onlyLikely(finding, { evidence: finding.evidence, decide }) : finding
}

function sightsOf(order: SeenOrder): Sight[] {
  const { created, isSubscription } = order
  // A trial authorises a subscription before it is paid, which no record shows.
  if (created === null || isSubscription) return []
  const after = order.lookups.filter(
    ({ operation, call }) => operation === 'crypto-orders' && call.at >= answeredBy(created),
  )
  const seen = after.map((lookup): Sight & { readonly allowed: readonly When[] } => {
    const { allowed, words } = explained(order, lookup)
    return {
      ...{ source: lookup.call.source, unit: order.requestId, words, allowed },
      allows: (value) => allowed.some((each) => each === value),
    }
  })
  // An order that contradicts itself follows a rule of its own, such as a leg that appears late.
  return candidates.some((value) => seen.every(({ allowed }) => allowed.includes(value))) ? seen : []
}

function explained(order: SeenOrder, lookup: Lookup): { allowed: readonly When[]; words: string } {
  const own = recordsOf(order, 'crypto-orders').filter((record) => record.lookup === lookup)
  const [record] = own
  if (record === undefined) {
    // A list of other orders says nothing about this one.
    if (lookup.records.length > 0)
      return { allowed: candidates, words: 'the crypto lookup lists other orders' }
    return isCompletedBefore(order, lookup)
      ? { allowed: ['never'], words: 'the crypto lookup lists nothing after the order was completed' }
      : {
          allowed: ['after-payment', 'never'],
          words: 'the crypto lookup lists nothing after the create call',
        }
  }
  return isUnpaid(record.fields)
    ? { allowed: ['always'], words: 'the crypto lookup lists an order that is not paid' }
    : { allowed: ['always', 'after-payment'], words: 'the crypto lookup lists the order' }
}

const isCompletedBefore = (order: SeenOrder, { call }: Lookup): boolean =>
  recordsOf(order, 'orders').some(
    ({ lookup, fields }) => fields.orderStatus === 'COMPLETED' && answeredBy(lookup.call) <= call.at,
  )

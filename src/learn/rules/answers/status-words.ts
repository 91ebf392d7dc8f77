import { paymentStatuses, printedOrderStatuses, refundStatuses } from '../../../domain/order/statuses.ts'
import { wordOf } from '../../../domain/webhook/words.ts'
import { acceptedValue } from '../../answers/accepted-value.ts'
import { orderEnds } from '../../answers/order-ends.ts'
import { hasMovedOn, isUnpaid } from '../../answers/payment-state.ts'
import { recordsOf, textIn } from '../../answers/records.ts'
import { onlyLikely, undecided } from '../../elimination/caution.ts'
import { eliminate, type Question, type Sight } from '../../elimination/eliminate.ts'
import type { Claims, Finding } from '../../elimination/finding.ts'
import type { Evidence, SeenOrder } from '../../evidence/evidence.ts'
import { fieldsOf } from '../../evidence/read-call.ts'
import type { Context, Rule } from '../rule.ts'

/** The words for statuses in lookups (N76). A word shows only where the status behind it is certain: that of an order
 *  which expired, of a payment that has not come or has failed, and of a refund that has ended. */
export const statusWords: Rule = {
  settings: ['words.orders', 'words.payments', 'words.refunds'],
  learn: (evidence, context) => [
    orderWords(evidence, context),
    paymentWords(evidence, context.claims),
    refundWords(evidence, context.claims),
  ],
}

type WordSetting = 'words.orders' | 'words.payments' | 'words.refunds'

/** A word in a lookup, and the status that it stands for. */
interface SeenWord extends Pick<Sight, 'source' | 'unit'> {
  readonly status: string
  readonly word: string
}

interface WordQuestion extends Pick<Question, 'decide'> {
  readonly setting: WordSetting
  readonly words: readonly SeenWord[]
  /** Words as they stand in records: none of them is a status that has another word. */
  readonly literals: readonly Omit<SeenWord, 'status'>[]
}

function wordFinding({ setting, words, literals, decide }: WordQuestion, claims: Claims): Finding {
  const pairs = [
    ...new Map(words.map(({ status, word }) => [`${status} ${word}`, { status, word }])).values(),
  ]
  const statuses = [...new Set(pairs.map(({ status }) => status))]
  const maps = statuses.reduce<Readonly<Record<string, string>>[]>(
    (before, status) =>
      before.flatMap((map) =>
        pairs
          .filter((pair) => pair.status === status)
          .slice(0, 5)
          .map(({ word }) => (word === status ? map : { ...map, [status]: word })),
      ),
    [{}],
  )
  const read = (value: unknown) => acceptedValue(setting, value)
  const own = words.map(
    ({ source, unit, status, word }): Sight => ({
      ...{ source, unit, words: `the status ${status} is written ${word}` },
      allows: (value) => {
        const map = read(value)
        return map !== undefined && wordOf(status, map) === word
      },
    }),
  )
  const others = literals.map(
    ({ source, unit, word }): Sight => ({
      ...{ source, unit, words: `a lookup has the status ${word}` },
      allows: (value) => {
        const map = read(value)
        return map !== undefined && (wordOf(word, map) === word || Object.values(map).includes(word))
      },
    }),
  )
  const finding = eliminate(
    {
      setting,
      candidates: words.length === 0 ? [] : maps.filter((map) => read(map) !== undefined),
      sights: own,
      isOpen: true,
      evidence: (_, count) =>
        `lookups of ${count} orders write ${pairs.map(({ status, word }) => (status === word ? status : `${word} for ${status}`)).join(', ')}`,
      decide,
      nothing: 'no lookup shows a status whose word could be another one',
    },
    claims,
  )
  const claimed = claims.has(setting) ? others.filter(({ allows }) => !allows(claims.get(setting))) : []
  const [against] = claimed
  if (against === undefined || finding.claim?.holds === false) return finding
  const value = claims.get(setting)
  return {
    ...finding,
    claim: { holds: false, times: claimed.length, value, by: against.source, words: against.words },
  }
}

/** Orders with `count` for each status. */
const ordersWith = (words: readonly SeenWord[], status: string): number =>
  new Set(words.filter((each) => each.status === status).map(({ unit }) => unit)).size

function orderWords(evidence: Evidence, context: Context): Finding {
  const words = orderEnds(evidence, context).flatMap(({ source, requestId, end, orderStatus }): SeenWord[] =>
    end === 'abandon' ? [{ source, unit: requestId, status: 'ABANDONED', word: orderStatus }] : [],
  )
  const literals = evidence.orders.flatMap((order) =>
    statusesIn(order, 'orderStatus', 'orders', 'crypto-orders').filter(
      // Faults show this one, whatever its word is.
      ({ word }) => word !== 'ON_REVIEW' && !printedOrderStatuses.some((printed) => printed === word),
    ),
  )
  const decide =
    'two orders that expire with a status of their own, and each other status that the service has'
  const finding = wordFinding({ setting: 'words.orders', words, literals, decide }, context.claims)
  const evidenceText = `${finding.evidence}; other statuses than this and the documented ones may have words too`
  return onlyLikely(finding, { evidence: evidenceText, decide })
}

/** The statuses of payments that may have other words: the API specification prints the third. */
const freePayments = paymentStatuses.filter((status) => status !== 'COMPLETED')

function paymentWords({ orders }: Evidence, claims: Claims): Finding {
  const words = orders.flatMap(paymentWordsOf)
  const literals = orders.flatMap((order) => statusesIn(order, 'paymentStatus', 'crypto-orders'))
  const decide = 'crypto lookups of two orders before they are paid, and of two that failed before'
  const finding = wordFinding({ setting: 'words.payments', words, literals, decide }, claims)
  const counts = freePayments.map((status) => ordersWith(words, status))
  if (counts.every((count) => count >= 2) || finding.state === 'contradictory' || words.length === 0)
    return finding
  const evidence = `${finding.evidence}; the words for CREATED and FAILED were seen of ${counts.join(' and ')} orders`
  return counts.every((count) => count > 0)
    ? onlyLikely(finding, { evidence, decide })
    : undecided(finding, { evidence, decide })
}

/** The words of payments that have not come, in the crypto records of checkouts. */
function paymentWordsOf(order: SeenOrder): SeenWord[] {
  if (order.created === null || order.isSubscription) return []
  const hasFailed = recordsOf(order, 'orders').some(({ fields }) => fields.orderStatus === 'FAILED')
  return recordsOf(order, 'crypto-orders').flatMap(({ lookup, fields }): SeenWord[] => {
    const word = textIn(fields, 'paymentStatus')
    if (word === undefined) return []
    const seen = { source: lookup.call.source, unit: order.requestId, word }
    if (isUnpaid({ ...fields, paymentStatus: undefined }) && !hasMovedOn(order, lookup.call.at))
      return [{ ...seen, status: 'CREATED' }]
    const isFailed = fields.orderStatus === 'FAILED' && hasFailed && fields.receivedAmount === undefined
    return isFailed && word !== 'COMPLETED' ? [{ ...seen, status: 'FAILED' }] : []
  })
}

function refundWords({ orders }: Evidence, claims: Claims): Finding {
  const words = orders.flatMap(refundWordsOf)
  const literals = orders.flatMap((order) => statusesIn(order, 'status', 'fiat-refunds'))
  const decide = 'lookups of two refunds, before and after the money is back'
  const finding = wordFinding({ setting: 'words.refunds', words, literals, decide }, claims)
  const isPlain = literals.every(({ word }) => refundStatuses.some((known) => known === word))
  if (isPlain) return finding
  const evidence = `${finding.evidence}, unless that is a status of its own`
  return onlyLikely(finding, { evidence, decide })
}

const initiated = 'REFUND_INITIATED'

/** The words for the end of a refund: what follows its start without a failure. */
function refundWordsOf(order: SeenOrder): SeenWord[] {
  const hasFailed = order.lookups.some(
    ({ operation, call }) =>
      operation === 'fiat-refunds' && fieldsOf(fieldsOf(call.output).errorReason).errorCode !== undefined,
  )
  const started = new Set<string>()
  const words: SeenWord[] = []
  for (const { lookup, fields } of recordsOf(order, 'fiat-refunds')) {
    const refundId = textIn(fields, 'refundId')
    const word = textIn(fields, 'status')
    if (refundId === undefined || word === undefined) continue
    if (word === initiated) started.add(refundId)
    else if (word === 'REFUNDED' || (started.has(refundId) && !hasFailed))
      words.push({ source: lookup.call.source, unit: order.requestId, status: 'REFUNDED', word })
  }
  return words
}

/** The statuses in the records of an order, each once. */
function statusesIn(
  order: SeenOrder,
  name: string,
  ...operations: Parameters<typeof recordsOf>[1][]
): Omit<SeenWord, 'status'>[] {
  const seen = new Map(
    recordsOf(order, ...operations).map(({ lookup, fields }) => [textIn(fields, name), lookup.call.source]),
  )
  return [...seen].flatMap(([word, source]) =>
    word === undefined ? [] : [{ source, unit: order.requestId, word }],
  )
}

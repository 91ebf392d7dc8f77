import { onlyLikely } from '../../elimination/caution.ts'
import { measure, millisecondsOf, type Reading, readValue, type Span } from '../../elimination/eliminate.ts'
import type { Finding } from '../../elimination/finding.ts'
import type { Evidence, SeenOrder } from '../../evidence/evidence.ts'
import type { Rule } from '../rule.ts'

/** How long an order can be paid, and how its end is written: from `expiryTs` in the answers to create calls. */
export const expiry: Rule = {
  settings: ['orders.expiry', 'time.expiryFraction', 'time.offset'],
  learn: (evidence, { claims }) => {
    const seen = evidence.orders.flatMap((order) => expiryOf(order, evidence))
    return [
      withoutOddSeconds(
        measure(
          {
            setting: 'orders.expiry',
            // An expiry before the call shows that the clocks disagree.
            spans: seen.map(({ span }) => span).filter(({ to }) => to > 0),
            evidence: (value, count) => `\`expiryTs\` of ${count} orders is ${value} after their create call`,
            decide: 'a second create call',
          },
          claims,
        ),
      ),
      readValue(
        {
          setting: 'time.expiryFraction',
          readings: seen.map(({ fraction }) => fraction),
          evidence: (value, count) => `\`expiryTs\` of ${count} orders has ${value} digits after the second`,
          decide: 'a second create call',
        },
        claims,
      ),
      readValue(
        {
          setting: 'time.offset',
          readings: seen.map(({ offset }) => offset),
          evidence: (value, count) => `\`expiryTs\` of ${count} orders ends with ${value}`,
          decide: 'a second create call',
        },
        claims,
      ),
    ]
  },
}

/** Clocks that differ by a second or two, which no header shows, make odd lengths: those are never known for certain. */
function withoutOddSeconds(finding: Finding): Finding {
  if (finding.state !== 'known' || millisecondsOf(finding.value) % 5_000 === 0) return finding
  return onlyLikely(finding, {
    evidence: `${finding.evidence}, unless the clocks of service and capture differ by seconds`,
    decide: 'a capture whose clock is that of the service',
  })
}

interface SeenExpiry {
  readonly span: Span
  readonly fraction: Reading
  readonly offset: Reading
}

const written = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.(\d{1,9}))?([+-]\d\d:\d\d)$/

function expiryOf({ created, answer, requestId }: SeenOrder, evidence: Evidence): SeenExpiry[] {
  const offer = answer.offerInfoData
  const text = typeof offer === 'object' && offer !== null && 'expiryTs' in offer ? offer.expiryTs : undefined
  const match = typeof text === 'string' ? written.exec(text) : null
  if (created === null || match === null || typeof text !== 'string') return []
  const [, digits = '', offset = ''] = match
  const { source, at, ms } = created
  // The order was created between the call and its answer.
  const ahead = evidence.serviceAhead(source)
  const sent = at + ahead
  // A clock that is read from `Date` headers has whole seconds.
  const slack = ahead === 0 ? clockStep : 1000
  const end = Date.parse(text)
  // Digits that are left out were cut off, not rounded.
  const lost = 10 ** Math.max(0, 3 - digits.length)
  const about = { source, unit: requestId, words: `\`expiryTs\` is ${text}` }
  return [
    {
      span: { ...about, from: end - sent - (ms ?? 1000) - slack, to: end + lost - sent + slack },
      fraction: { ...about, value: digits.length },
      offset: { ...about, value: offset },
    },
  ]
}

/** A busy machine notes the time of a call some milliseconds before it sends the call. */
const clockStep = 100

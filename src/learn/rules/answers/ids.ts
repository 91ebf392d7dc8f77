import { orderIdForm, tokenForm } from '../../../domain/order/id-forms.ts'
import { createAnswers } from '../../answers/create-answers.ts'
import { fits, type IdSample, isUuid, type UuidVersion } from '../../answers/id-forms.ts'
import { inferForms } from '../../answers/infer-id-form.ts'
import { answeredBy, recordsOf, textIn } from '../../answers/records.ts'
import { undecided } from '../../elimination/caution.ts'
import { eliminate, type Reading, readValue, type Sight } from '../../elimination/eliminate.ts'
import type { Claims, Finding } from '../../elimination/finding.ts'
import type { Evidence } from '../../evidence/evidence.ts'
import type { Rule } from '../rule.ts'

/** The form of orderIds, tokens and refundIds (N58, N83). */
export const ids: Rule = {
  settings: ['orders.orderIdEqualsToken', 'orders.ids', 'orders.tokens', 'orders.refundIds'],
  learn: (evidence, { claims }) => {
    const orderIds = orderIdsIn(evidence)
    const equal = readValue(
      {
        setting: 'orders.orderIdEqualsToken',
        readings: orderIds.flatMap(({ isToken, source, unit }): Reading[] =>
          isToken === null
            ? []
            : [{ source, unit, value: isToken, words: `the orderId is ${isToken ? '' : 'not '}the token` }],
        ),
        evidence: (value, count) =>
          `the orderId of ${count} orders is ${value === true ? '' : 'not '}their token`,
        decide: 'a lookup of two orders that were created in the capture',
      },
      claims,
    )
    // Then the form of tokens counts.
    const hasTokens = orderIds.some(({ isToken }) => isToken === true)
    const own = hasTokens ? [] : orderIds
    const lookUp = 'lookups of ten or more orders that were created in the capture'
    const idFinding = formFinding(
      { setting: 'orders.ids', noun: 'orderIds', version: 7, decide: lookUp },
      own,
      claims,
    )
    return [
      equal,
      hasTokens
        ? undecided(idFinding, { evidence: 'the orderIds are the tokens', decide: lookUp })
        : idFinding,
      formFinding(
        { setting: 'orders.tokens', noun: 'tokens', version: 4, decide: 'ten or more create calls' },
        tokensIn(evidence),
        claims,
      ),
      formFinding(
        {
          setting: 'orders.refundIds',
          noun: 'refundIds',
          version: 7,
          decide: 'lookups of ten or more refunds',
        },
        refundIdsIn(evidence),
        claims,
      ),
    ]
  },
}

interface SeenId extends IdSample, Pick<Sight, 'source' | 'unit'> {}

function tokensIn(evidence: Evidence): SeenId[] {
  return createAnswers(evidence).map(({ call, order, token }) => ({
    ...{ source: call.source, unit: order.requestId, text: token, charge: 'first' },
    ...createdBetween(call, evidence),
  }))
}

function createdBetween(call: Parameters<typeof answeredBy>[0] & Pick<Sight, 'source'>, evidence: Evidence) {
  const ahead = evidence.serviceAhead(call.source)
  return { from: call.at + ahead, to: answeredBy(call) + ahead }
}

/** The orderIds of orders that were created in the capture; others may come from elsewhere. */
function orderIdsIn(evidence: Evidence): (SeenId & { readonly isToken: boolean | null })[] {
  return createAnswers(evidence).flatMap(({ order, call, token }) => {
    const seen = new Map(
      recordsOf(order, 'orders', 'crypto-orders').flatMap(({ fields, lookup }) => {
        const orderId = textIn(fields, 'orderId')
        return orderId === undefined ? [] : [[orderId, lookup.call.source] as const]
      }),
    )
    // A checkout has one orderId. The records of a subscription come oldest first (N64c).
    if (!order.isSubscription && seen.size > 1) return []
    return [...seen].map(([text, source], index) => ({
      ...{ source, unit: order.requestId, text },
      ...(index === 0
        ? { charge: 'first' as const, ...createdBetween(call, evidence), isToken: text === token }
        : { charge: 'later' as const, from: call.at, to: Number.POSITIVE_INFINITY, isToken: null }),
    }))
  })
}

function refundIdsIn(evidence: Evidence): SeenId[] {
  return evidence.orders.flatMap((order) => {
    const seen = new Map<string, SeenId>()
    for (const { fields, lookup } of recordsOf(order, 'fiat-refunds')) {
      const text = textIn(fields, 'refundId')
      if (text === undefined || seen.has(text)) continue
      const { call } = lookup
      const { from } = order.created === null ? { from: 0 } : createdBetween(order.created, evidence)
      const isFirst = order.created !== null && !order.isSubscription
      seen.set(text, {
        ...{ source: call.source, unit: order.requestId, text, from, to: createdBetween(call, evidence).to },
        charge: isFirst ? 'first' : 'unknown',
      })
    }
    return [...seen.values()]
  })
}

interface Form {
  readonly setting: 'orders.ids' | 'orders.tokens' | 'orders.refundIds'
  readonly noun: string
  readonly version: UuidVersion
  readonly decide: string
}

function formFinding(
  { setting, noun, version, decide }: Form,
  seen: readonly SeenId[],
  claims: Claims,
): Finding {
  const schema = setting === 'orders.tokens' ? tokenForm : orderIdForm
  const areUuids = seen.some(({ text }) => isUuid(text, version))
  const inferred = areUuids
    ? { forms: [], problem: 'some of them are UUIDs' }
    : inferForms(seen, (form) => schema.safeParse(form).success)
  const finding = eliminate(
    {
      setting,
      candidates: [null, ...inferred.forms],
      sights: seen.map((id) => ({
        ...id,
        words: `one of the ${noun} is ${id.text}`,
        allows: (value) =>
          value === null ? isUuid(id.text, version) : typeof value === 'string' && fits(value, id),
      })),
      isOpen: true,
      evidence: (value, count) =>
        value === null
          ? `the ${noun} of ${count} orders are UUIDs of version ${version}`
          : `the ${noun} of ${count} orders have this form, and too many characters for another one`,
      decide,
    },
    claims,
  )
  if (finding.state === 'contradictory' && !areUuids)
    return undecided(finding, { evidence: `the form of ${noun} is not clear: ${inferred.problem}`, decide })
  if (finding.left.length > 1)
    return undecided(finding, {
      evidence: `the form of ${noun} is not clear: ${inferred.problem}`,
      decide,
      left: finding.left,
    })
  return finding
}

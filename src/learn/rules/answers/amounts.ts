import { answerField } from '../../../domain/choices/answer-field.ts'
import { echoed } from '../../../domain/order/amounts.ts'
import { compareAmounts, decimalsOf, subtract } from '../../../domain/text/money.ts'
import { acceptedValue } from '../../answers/accepted-value.ts'
import { type CreateAnswer, createAnswers, furtherTexts } from '../../answers/create-answers.ts'
import { explains, solveFees } from '../../answers/fees.ts'
import { recordsOf, textIn } from '../../answers/records.ts'
import { onlyLikely, undecided } from '../../elimination/caution.ts'
import { eliminate, type Sight } from '../../elimination/eliminate.ts'
import type { Claims, Finding } from '../../elimination/finding.ts'
import type { Evidence } from '../../evidence/evidence.ts'
import type { Rule } from '../rule.ts'

/** How answers write amounts, and the fees in them (N10, N84). */
export const amounts: Rule = {
  settings: ['amounts.fee', 'amounts.echo', 'responses.feeField'],
  learn: (evidence, { claims }) => {
    const totals = createAnswers(evidence).flatMap(totalIn)
    const shown = spellings(evidence, totals)
    const inLookups = echoFinding(shown, claims)
    const fee = feeFinding(totals, inLookups.value, claims)
    // Without fees, totals show the spelling too.
    const isPlain = (fee.state === 'known' || fee.state === 'likely') && fee.value === null
    const echo = isPlain ? echoFinding([...shown, ...totals.flatMap(totalSpelling)], claims) : inLookups
    return [fee, echo, feeFieldFinding(totals, claims)]
  },
}

const anAmount = /^\d{1,30}(\.\d{1,2})?$/

interface SeenTotal extends Pick<Sight, 'source' | 'unit'> {
  readonly amount: string
  readonly total: string
  readonly one: CreateAnswer
}

function totalIn(one: CreateAnswer): SeenTotal[] {
  const amount = textIn(one.request, 'fiatAmount')
  const total = one.offer === null ? undefined : textIn(one.offer, 'totalFiatAmount')
  if (amount === undefined || total === undefined) return []
  if (!anAmount.test(amount) || !anAmount.test(total)) return []
  return [{ source: one.call.source, unit: one.order.requestId, amount, total, one }]
}

const largeOrder = 'an order of 10000.00 or more, and one of 10.00'

/** @param echo the spelling of amounts, if it was found */
function feeFinding(totals: readonly SeenTotal[], echo: unknown, claims: Claims): Finding {
  const { fees, isOnly } = solveFees(totals)
  const sights = totals.map(
    ({ source, unit, amount, total }): Sight => ({
      source,
      unit,
      words: `\`totalFiatAmount\` is ${total} for ${amount}`,
      allows: (value) => {
        const fee = acceptedValue('amounts.fee', value)
        // Without fees, a spelling as it was sent stays.
        if (fee === null && echo === 'as-sent') return amount === total
        return fee !== undefined && explains(fee, { amount, total })
      },
    }),
  )
  const finding = eliminate(
    {
      setting: 'amounts.fee',
      candidates: [null, ...fees],
      sights,
      isOpen: true,
      evidence: (value, count) =>
        value === null
          ? `\`totalFiatAmount\` of ${count} orders is their \`fiatAmount\``
          : `\`totalFiatAmount\` of ${count} orders is their \`fiatAmount\` with these fees`,
      decide: largeOrder,
    },
    claims,
  )
  if (finding.state === 'contradictory') {
    const [first] = totals.filter(({ amount, total }) => compareAmounts(amount, total) !== 0)
    const evidence = `no percentage with a fixed amount was found that explains \`totalFiatAmount\`, such as ${first?.total} for ${first?.amount}`
    return fees.every((fee) => fee === null) ? undecided(finding, { evidence, decide: largeOrder }) : finding
  }
  if (isOnly) return finding
  const evidence = `${finding.evidence}; the only fees of at most two decimals that explain them`
  return onlyLikely(finding, { evidence, decide: largeOrder })
}

function echoFinding(sights: readonly Sight[], claims: Claims): Finding {
  return eliminate(
    {
      setting: 'amounts.echo',
      candidates: ['as-sent', 'two-decimals'],
      sights,
      decide: 'two orders whose amount is not written with two decimals, such as `10`',
      nothing: 'no amount was sent that has other than two decimals',
    },
    claims,
  )
}

/** The spellings of amounts that no fee changes. */
function spellings({ orders }: Evidence, totals: readonly SeenTotal[]): Sight[] {
  const unchanged = totals.filter(({ amount, total }) => amount === total)
  return [
    ...unchanged.flatMap(totalSpelling),
    ...orders.flatMap(exchangeAmounts),
    ...orders.flatMap(refundAmounts),
  ]
}

const totalSpelling = ({ amount, total, source, unit }: SeenTotal): Sight[] =>
  written({ sent: amount, shown: total, source, unit })

interface Written extends Pick<Sight, 'source' | 'unit'> {
  readonly sent: string
  readonly shown: string
}

function written({ sent, shown, ...about }: Written): Sight[] {
  const forms = (['as-sent', 'two-decimals'] as const).filter(
    (form) => echoed(sent, { 'amounts.echo': form }) === shown,
  )
  if (forms.length === 0) return []
  return [
    {
      ...about,
      words: `${sent} is shown as ${shown}`,
      allows: (value) => forms.some((form) => form === value),
    },
  ]
}

function exchangeAmounts(order: Evidence['orders'][number]): Sight[] {
  const sent = textIn(order.request, 'fiatAmount')
  if (sent === undefined || !anAmount.test(sent)) return []
  return recordsOf(order, 'orders').flatMap(({ lookup, fields }) => {
    const shown = textIn(fields, 'exchangeAmount')
    return shown === undefined
      ? []
      : written({ sent, shown, source: lookup.call.source, unit: order.requestId })
  })
}

/** What was sent is not known of a refund, but a form of two decimals would show two. */
function refundAmounts(order: Evidence['orders'][number]): Sight[] {
  return recordsOf(order, 'fiat-refunds').flatMap(({ lookup, fields }): Sight[] => {
    const shown = textIn(fields, 'fiatAmount')
    if (shown === undefined || !anAmount.test(shown) || decimalsOf(shown) === 2) return []
    const about = { source: lookup.call.source, unit: order.requestId }
    return [{ ...about, words: `a refund is shown as ${shown}`, allows: (value) => value === 'as-sent' }]
  })
}

function feeFieldFinding(totals: readonly SeenTotal[], claims: Claims): Finding {
  const charged = totals.filter(({ amount, total }) => compareAmounts(total, amount) > 0)
  const places = charged.flatMap((total) => [...placesOf(total)])
  const sights = charged.flatMap((total): Sight[] => {
    const names = placesOf(total)
    // A number is a form that no setting has.
    if (names.length === 0 && hasNumber(total)) return []
    const { source, unit } = total
    const where = names.length === 0 ? 'no field has' : `${names.map((name) => `\`${name}\``).join(', ')} has`
    return [
      {
        source,
        unit,
        words: `${where} the fee ${feeIn(total)}`,
        allows: (value) => (value === null ? names.length === 0 : names.some((name) => name === value)),
      },
    ]
  })
  return eliminate(
    {
      setting: 'responses.feeField',
      candidates: [null, ...places],
      sights,
      isOpen: true,
      evidence: (value, count) =>
        value === null
          ? `the answers to ${count} create calls do not show the fee alone`
          : `\`${value}\` has the fee in the answers to ${count} create calls`,
      decide: 'two create calls whose `totalFiatAmount` includes fees',
      nothing: 'no order has fees',
    },
    claims,
  )
}

const feeIn = ({ amount, total }: SeenTotal): string => subtract(total, amount)

/** The fields that have the fee as a text. */
function placesOf(total: SeenTotal): string[] {
  const fee = feeIn(total)
  return [...furtherTexts(total.one.answer)]
    .filter(([path, text]) => text === fee && answerField.safeParse(path).success)
    .map(([path]) => path)
}

const hasNumber = ({ one, amount, total }: SeenTotal): boolean =>
  JSON.stringify(one.answer).includes(`:${Number(subtract(total, amount))}`)

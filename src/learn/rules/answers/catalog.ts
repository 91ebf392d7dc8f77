import { catalogEntry } from '../../../domain/order/currencies.ts'
import { compareAmounts, decimalsOf, multiply } from '../../../domain/text/money.ts'
import { acceptedValue } from '../../answers/accepted-value.ts'
import { createAnswers } from '../../answers/create-answers.ts'
import { recordsOf, textIn } from '../../answers/records.ts'
import { undecided } from '../../elimination/caution.ts'
import { eliminate, type Sight } from '../../elimination/eliminate.ts'
import type { Evidence } from '../../evidence/evidence.ts'
import type { Rule } from '../rule.ts'

/** The catalogue of currencies (N3, N66). Traffic shows the asset and the rate of the currencies in it, never all
 *  entries: the value stays unknown, and the evidence says what was seen. */
export const catalog: Rule = {
  settings: ['currencies.catalog'],
  learn: (evidence, { claims }) => {
    const rates = evidence.orders.flatMap(ratesOf)
    const why = 'traffic shows only the currencies that are used'
    const finding = eliminate(
      {
        setting: 'currencies.catalog',
        candidates: [[]],
        sights: [...rates.map(rateSight), ...acceptedOrders(evidence)],
        isOpen: true,
        // Nothing decides.
        decide: '',
      },
      claims,
    )
    if (rates.length === 0)
      return [undecided(finding, { evidence: `no crypto record was looked up; ${why}`, decide: null })]
    const entries = [...Map.groupBy(rates, ({ currencyId }) => currencyId)].map(([currencyId, seen]) =>
      entryOf(currencyId, seen),
    )
    return [undecided(finding, { evidence: `seen of it: ${entries.join('; ')}; ${why}`, decide: null })]
  },
}

const anAmount = /^\d{1,30}(\.\d{1,2})?$/
const cryptoDecimals = 8

interface SeenRate extends Pick<Sight, 'source' | 'unit'> {
  readonly currencyId: string
  readonly fiatAmount: string
  readonly asset: string
  readonly cryptoAmount: string
}

function ratesOf(order: Evidence['orders'][number]): SeenRate[] {
  const currencyId = textIn(order.request, 'currencyId')
  const fiatAmount = textIn(order.request, 'fiatAmount')
  if (currencyId === undefined || fiatAmount === undefined || !anAmount.test(fiatAmount)) return []
  const [first] = recordsOf(order, 'crypto-orders').flatMap(({ lookup, fields }) => {
    const asset = textIn(fields, 'cryptoCurId')
    const cryptoAmount = textIn(fields, 'cryptoAmount')
    if (asset === undefined || cryptoAmount === undefined || !/^\d{1,30}(\.\d{1,18})?$/.test(cryptoAmount))
      return []
    const about = { source: lookup.call.source, unit: order.requestId }
    return [{ ...about, currencyId, fiatAmount, asset, cryptoAmount }]
  })
  return first === undefined ? [] : [first]
}

function rateSight({ source, unit, currencyId, fiatAmount, asset, cryptoAmount }: SeenRate): Sight {
  return {
    ...{ source, unit, words: `${fiatAmount} of ${currencyId} is ${cryptoAmount} ${asset}` },
    allows: (value) => {
      const entries = acceptedValue('currencies.catalog', value)
      if (entries === undefined) return false
      const { cryptoAsset = 'USDT', rate = '1' } =
        catalogEntry({ 'currencies.catalog': entries }, currencyId) ?? {}
      return asset === cryptoAsset && multiply(fiatAmount, rate, cryptoDecimals) === cryptoAmount
    },
  }
}

/** Orders that were accepted: a catalogue that would have refused them is another one. */
function acceptedOrders(evidence: Evidence): Sight[] {
  return createAnswers(evidence).flatMap(({ order, call, request }): Sight[] => {
    const currencyId = textIn(request, 'currencyId')
    const amount = textIn(request, 'fiatAmount')
    if (currencyId === undefined || amount === undefined || !anAmount.test(amount)) return []
    const words = `an order of ${amount} in ${currencyId} was accepted`
    const allows = (value: unknown): boolean => {
      const entries = acceptedValue('currencies.catalog', value)
      if (entries === undefined) return false
      const entry = catalogEntry({ 'currencies.catalog': entries }, currencyId)
      if (entry === undefined) return true
      const { decimals = 2, minAmount = '0', maxAmount = amount, requiredFields = [] } = entry
      // A subscription has no `billingData`.
      const required = requiredFields.filter((name) => !order.isSubscription || name !== 'billingData')
      return (
        decimalsOf(amount) <= decimals &&
        compareAmounts(amount, minAmount) >= 0 &&
        compareAmounts(amount, maxAmount) <= 0 &&
        required.every((name) => request[name] !== undefined)
      )
    }
    return [{ source: call.source, unit: order.requestId, words, allows }]
  })
}

/** What is seen of a currency, in words. */
function entryOf(currencyId: string, seen: readonly SeenRate[]): string {
  const assets = [...new Set(seen.map(({ asset }) => asset))].join(', ')
  const rates = commonRate(seen)
  return `${currencyId} in ${assets} at ${rates === null ? 'rates that differ' : `rate ${rates}`} (${seen.length} orders)`
}

/** The shortest rate that explains all amounts; null if none does. */
function commonRate(seen: readonly SeenRate[]): string | null {
  const [first] = seen.toSorted((a, b) => compareAmounts(b.fiatAmount, a.fiatAmount))
  if (first === undefined || !/[1-9]/.test(first.fiatAmount)) return null
  for (let decimals = 0; decimals <= 18; decimals++) {
    const rate = roundedRatio(first.cryptoAmount, first.fiatAmount, decimals)
    if (
      seen.every(
        ({ fiatAmount, cryptoAmount }) => multiply(fiatAmount, rate, cryptoDecimals) === cryptoAmount,
      )
    )
      return rate
  }
  return null
}

/** A quotient of two amounts, rounded half up. */
function roundedRatio(amount: string, by: string, decimals: number): string {
  const scale = Math.max(decimalsOf(amount), decimalsOf(by))
  const units = (text: string) => BigInt(multiply(text, '1', scale).replace('.', ''))
  const quotient = (units(amount) * 10n ** BigInt(decimals) * 2n + units(by)) / (units(by) * 2n)
  const digits = quotient.toString().padStart(decimals + 1, '0')
  return decimals === 0 ? digits : `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`
}

import type { Settings } from '../../domain/choices/settings.ts'
import { withFees } from '../../domain/order/amounts.ts'
import { compareAmounts } from '../../domain/text/money.ts'

/** Fees as a settings file writes them. */
export type Fee = Settings['amounts.fee']

/** An amount, and the same with its fees; both have at most two decimals. */
export interface Charged {
  readonly amount: string
  readonly total: string
}

/** The fees that explain some amounts. */
export interface FeeSolution {
  /** Those of at most two decimals, smallest fixed part first, at most five; if there are none, the only other one. */
  readonly fees: readonly Fee[]
  /** Whether no other fee explains the amounts, with up to four decimals of a percentage. */
  readonly isOnly: boolean
}

/** Percentages in units of 0.0001 %. Nobody charges less than 0.05 %, which small amounts would not show. */
const leastUnits = 500
const mostUnits = 999_999
/** A share of an amount per unit. */
const unitsOfAll = 1_000_000
/** Above it, the arithmetic would not be exact. */
const mostCents = 1e9
const mostFees = 5
const mostFixed = 2_000_000

/** Finds the fees, a percentage and a fixed amount, that turn each amount into its total. */
export function solveFees(charged: readonly Charged[]): FeeSolution {
  const nothing = { fees: [], isOnly: false }
  const pairs = [...new Map(charged.map((one) => [`${one.amount} ${one.total}`, one])).values()].map(
    (one) => ({ cents: centsOf(one.amount), fee: centsOf(one.total) - centsOf(one.amount), ...one }),
  )
  const usable = pairs.filter(({ cents, fee }) => cents > 0 && cents <= mostCents && fee <= mostCents)
  if (usable.length === 0 || usable.length < pairs.length) return nothing
  // Any fee would have written two decimals.
  if (charged.some(({ total }) => !/\.\d\d$/.test(total)))
    return charged.every((one) => explains(null, one)) ? { fees: [null], isOnly: true } : nothing
  const least = Math.min(...usable.map(({ fee }) => fee))
  const fees: Fee[] = []
  let others: Fee[] = []
  let count = 0
  for (let fixed = 0; fixed <= Math.min(least, mostFixed); fixed++) {
    const range = unitsFor(fixed, usable)
    if (range === null) continue
    const { zero, from, to } = range
    const rounds = roundUnits(from, to)
    const found = [...(zero ? [0] : []), ...rounds].map((units) => feeOf(units, fixed))
    count += (zero ? 1 : 0) + Math.max(0, to - from + 1)
    fees.push(...found)
    if (found.length === 0 && count === 1) others = [feeOf(from, fixed)]
    if (fees.length >= mostFees) break
  }
  const right = (list: readonly Fee[]) =>
    list.slice(0, mostFees).filter((fee) => charged.every((one) => explains(fee, one)))
  if (fees.length > 0) return { fees: right(fees), isOnly: count === 1 && least <= mostFixed }
  return count === 1 ? { fees: right(others), isOnly: least <= mostFixed } : nothing
}

/** Whether a fee turns an amount into the text of its total. Without a fee, the total may have other decimals. */
export function explains(fee: Fee, { amount, total }: Charged): boolean {
  if (fee === null) return compareAmounts(amount, total) === 0
  return withFees(amount, { 'amounts.fee': fee, 'amounts.echo': 'as-sent' }) === total
}

const centsOf = (amount: string): number => {
  const [whole = '', fraction = ''] = amount.split('.')
  return Number(whole + fraction.padEnd(2, '0'))
}

interface Pair {
  readonly cents: number
  readonly fee: number
}

/** The percentages that explain all fees beside a fixed amount: whether none does, and the bounds of the others. */
function unitsFor(fixed: number, pairs: readonly Pair[]): { zero: boolean; from: number; to: number } | null {
  let from = leastUnits
  let to = mostUnits
  for (const { cents, fee } of pairs) {
    // Half a cent is rounded up: fee - 1/2 <= cents * share + fixed < fee + 1/2.
    const rest = fee - fixed
    from = Math.max(from, firstUnit(cents, rest - 0.5))
    to = Math.min(to, firstUnit(cents, rest + 0.5) - 1)
  }
  const zero = pairs.every(({ fee }) => fee === fixed)
  return zero || from <= to ? { zero, from, to } : null
}

/** The least number of units whose share of an amount reaches a number of cents. */
function firstUnit(cents: number, least: number): number {
  const near = Math.floor((least * unitsOfAll) / cents)
  for (const units of [near - 1, near, near + 1]) if (units * cents >= least * unitsOfAll) return units
  return near + 2
}

/** The percentages of at most two decimals between two bounds, as many as are needed to see that there are several. */
function roundUnits(from: number, to: number): number[] {
  const first = Math.ceil(from / 100) * 100
  return Array.from({ length: mostFees }, (_, index) => first + index * 100).filter((units) => units <= to)
}

function feeOf(units: number, fixed: number): Fee {
  if (units === 0 && fixed === 0) return null
  const percentage = (units / 10_000).toFixed(4).replace(/\.?0+$/, '')
  return {
    ...(units > 0 && { percentage }),
    ...(fixed > 0 && { fixed: (fixed / 100).toFixed(2) }),
  }
}

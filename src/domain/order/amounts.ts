import * as z from 'zod'
import { multiply, rounded, sum } from '../text/money.ts'

const part = (pattern: RegExp, example: string) =>
  z
    .string({ error: `must be a number in quotes, like "${example}"` })
    .regex(pattern, `must be a number such as "${example}"`)

/** Schema of the fees on an amount: a percentage, a fixed amount, or both (N84). */
export const feeSchema = z
  .strictObject({
    percentage: part(/^\d{1,2}(\.\d{1,4})?$/, '2.9').optional(),
    fixed: part(/^\d{1,15}(\.\d{1,2})?$/, '0.30').optional(),
  })
  .refine(({ percentage = '0', fixed = '0' }) => /[1-9]/.test(percentage + fixed), {
    error: 'needs a `percentage` or a `fixed` amount above zero',
  })

interface AmountSettings {
  readonly 'amounts.echo': 'as-sent' | 'two-decimals'
  readonly 'amounts.fee': z.output<typeof feeSchema> | null
}

/** Returns an amount as answers show it: as it was sent, or with two decimals (N84). */
export const echoed = (amount: string, settings: Pick<AmountSettings, 'amounts.echo'>): string =>
  settings['amounts.echo'] === 'two-decimals' ? multiply(amount, '1', 2) : amount

/** The amount with fees, rounded half up to two decimals; without fees the amount itself (N10, N84). */
export function withFees(amount: string, settings: AmountSettings): string {
  const fee = settings['amounts.fee']
  return fee === null ? echoed(amount, settings) : rounded(sum(amount, exactFee(amount, fee)), 2)
}

/** The fees on an amount, rounded half up to two decimals; null without fees. */
export function feeOf(amount: string, settings: AmountSettings): string | null {
  const fee = settings['amounts.fee']
  return fee === null ? null : rounded(exactFee(amount, fee), 2)
}

function exactFee(amount: string, { percentage = '0', fixed = '0' }: z.output<typeof feeSchema>): string {
  return sum(multiply(multiply(amount, percentage, 6), '0.01', 8), fixed)
}

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
  if (fee === null) return echoed(amount, settings)
  const share = multiply(multiply(amount, fee.percentage ?? '0', 6), '0.01', 8)
  return rounded(sum(sum(amount, share), fee.fixed ?? '0'), 2)
}

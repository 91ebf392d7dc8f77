import * as z from 'zod'
import { compareAmounts } from '../text/money.ts'

const amount = z.string().regex(/^\d{1,30}(\.\d{1,2})?$/, 'expected an amount in quotes, such as "10.50"')
const rate = z
  .string()
  .regex(/^\d{1,15}(\.\d{1,18})?$/, 'expected a decimal number in quotes, such as "0.2"')
  .refine((text) => /[1-9]/.test(text), 'the rate must be greater than zero')

/** Schema of a currency's entry in the catalogue: its limits and its exchange rate (N3, N5, N66). */
export const catalogEntrySchema = z
  .strictObject({
    /** A `currencyId`, or the beginning of several followed by `*`. */
    match: z
      .string()
      .max(100)
      .regex(/^[^*]+\*?$|^\*$/, 'expected a currencyId; a * is allowed only at its end'),
    /** The number of decimals that amounts in the currency have. */
    decimals: z.union([z.literal(0), z.literal(1), z.literal(2)]).optional(),
    requiredFields: z.array(z.enum(['requestDescription', 'billingData'])).optional(),
    minAmount: amount.optional(),
    maxAmount: amount.optional(),
    cryptoAsset: z.string().min(1).max(50).optional(),
    /** Units of the crypto asset per unit of this currency. */
    rate: rate.optional(),
  })
  .refine(
    ({ minAmount, maxAmount }) => !minAmount || !maxAmount || compareAmounts(minAmount, maxAmount) <= 0,
    {
      error: 'minAmount is greater than maxAmount',
      path: ['minAmount'],
    },
  )

export type CatalogEntry = Readonly<z.output<typeof catalogEntrySchema>>

/** The catalogue entry of a currency: the entry that names it, else the first whose `*` covers it. */
export function catalogEntry(
  settings: { readonly 'currencies.catalog': readonly CatalogEntry[] },
  currencyId: string,
): CatalogEntry | undefined {
  const catalog = settings['currencies.catalog']
  return (
    catalog.find(({ match }) => match === currencyId) ??
    catalog.find(({ match }) => match.endsWith('*') && currencyId.startsWith(match.slice(0, -1)))
  )
}

import * as z from 'zod'
import { anyJson } from '../text/json-text.ts'
import { picked } from '../text/objects.ts'
import type { NewOrder } from './create.ts'
import { requestId } from './ids.ts'
import { writtenTexts } from './order.ts'

const text = z.string().min(1).max(1_000)

/** Schema of an amount of money as text, because YAML and JSON would read an unquoted `10.50` as the number 10.5. */
export const amount = z
  .string({ error: 'must be an amount in quotes, like "10.50"' })
  .regex(/^\d{1,30}(\.\d{1,2})?$/, 'must be an amount with at most two decimals, like "10.50"')
  .refine((value) => /[1-9]/.test(value), 'must be greater than zero')

function textsOf<Name extends string>(
  meanings: Readonly<Record<Name, string>>,
): Record<Name, z.ZodOptional<typeof text>>
function textsOf(meanings: Readonly<Record<string, string>>): object {
  return Object.fromEntries(
    Object.entries(meanings).map(([name, description]) => [name, text.optional().meta({ description })]),
  )
}

const requestMembers = {
  ...textsOf(writtenTexts),
  mode: z
    .enum(['returnUrl', 'returnAppUrl'])
    .optional()
    .meta({ description: 'With either, the order waits for its payer.' }),
}

const requestNames = z.object(requestMembers).keyof().options

/** Schemas of the fields of an order that is created without a create call; all have defaults. */
export const orderMembers = {
  kind: z.enum(['checkout', 'subscription', 'payout', 'crypto-payin']).default('checkout'),
  requestId: requestId.optional().meta({ description: 'Made up if left out.' }),
  fiatAmount: amount.default('10.00'),
  currencyId: text.default('usd_us'),
  email: text.default('payer@example.com'),
  scenario: text.optional().meta({ description: 'Selected as for a create call if left out.' }),
  metadata: z.record(z.string(), anyJson).optional().meta({ description: 'Returned by the crypto lookup.' }),
  ...requestMembers,
  interval: z
    .enum(['DAILY', 'WEEKLY', 'MONTHLY', 'QUARTERLY', 'YEARLY'])
    .optional()
    .meta({ description: 'Of a subscription. `MONTHLY` if left out.' }),
  trialPeriodDays: z
    .string()
    .regex(/^\d{1,3}$/, 'must be a number of days in quotes, like "7"')
    .optional()
    .meta({ description: 'Days before the first charge of a subscription.' }),
}

type OrderMembers = z.output<z.ZodObject<typeof orderMembers>>

/** Finds fields of subscriptions in an order of another kind. */
export function fieldsOfOtherKinds({ kind, interval, trialPeriodDays }: OrderMembers): string[] {
  if (kind === 'subscription') return []
  return Object.entries({ interval, trialPeriodDays }).flatMap(([name, value]) =>
    value === undefined ? [] : [name],
  )
}

/** The order as a create call would have requested it. */
export function newOrderOf(members: OrderMembers, requestId: string): NewOrder {
  const { kind, fiatAmount, currencyId, email, metadata, interval, trialPeriodDays } = members
  const request = picked(members, requestNames)
  return {
    kind,
    requestId,
    fiatAmount,
    currencyId,
    email,
    request:
      kind === 'subscription' ? { ...request, interval: interval ?? 'MONTHLY', trialPeriodDays } : request,
    metadata: metadata === undefined ? null : JSON.stringify(metadata),
  }
}

import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import type { NewOrder } from '../domain/create.ts'
import { EmulatorError } from '../domain/errors.ts'
import type { Order } from '../domain/order.ts'
import type { ControlParts } from './parts.ts'

const text = z.string().min(1).max(1_000)
const amount = z
  .string({ error: 'must be an amount in quotes, like "10.50"' })
  .regex(/^\d{1,30}(\.\d{1,2})?$/, 'must be an amount with at most two decimals, like "10.50"')
  .refine((value) => /[1-9]/.test(value), 'must be greater than zero')

/** An order as somebody wants it made. No signature and no token: the one who asks owns the emulator. */
export const makeOrderRequest = z
  .strictObject({
    clientId: text.optional(),
    kind: z.enum(['checkout', 'subscription', 'payout', 'crypto-payin']).default('checkout'),
    /** Made up if left out. */
    requestId: text.optional(),
    fiatAmount: amount.default('10.00'),
    currencyId: text.default('usd_us'),
    email: text.default('payer@example.com'),
    /** Chosen as for a create call if left out. */
    scenario: text.optional(),
    metadata: z.record(z.string(), z.json()).optional(),
    paymentMethodId: text.optional(),
    userId: text.optional(),
    userMessage: text.optional(),
    requestDescription: text.optional(),
    callbackUrl: text.optional(),
    mode: z.enum(['returnUrl', 'returnAppUrl']).optional(),
    targetApp: text.optional(),
    lang: text.optional(),
    interval: z.enum(['DAILY', 'WEEKLY', 'MONTHLY', 'QUARTERLY', 'YEARLY']).optional(),
    trialPeriodDays: z
      .string()
      .regex(/^\d{1,3}$/, 'must be a number of days in quotes, like "7"')
      .optional(),
  })
  .superRefine(({ kind, interval, trialPeriodDays }, context) => {
    if (kind === 'subscription') return
    const path = interval === undefined ? 'trialPeriodDays' : 'interval'
    if (interval === undefined && trialPeriodDays === undefined) return
    context.addIssue({ code: 'custom', path: [path], message: 'goes with kind "subscription" only' })
  })

/** Makes an order of any kind, payouts and crypto payins too, which no call of the service creates (N64i).
 *  @throws client_unknown, scenario_unknown, order_exists, invalid_input */
export async function makeOrder(
  wanted: z.output<typeof makeOrderRequest>,
  { clients, catalog, lifecycle }: ControlParts,
): Promise<Order> {
  const { clientId, kind, requestId, fiatAmount, currencyId, email, scenario, metadata, ...request } = wanted
  if (clientId === undefined) {
    throw new EmulatorError('invalid_input', { problems: 'clientId: is missing; say whose order it is' })
  }
  const client = clients.get(clientId)
  if (scenario !== undefined) refuseOtherKinds(catalog.get(scenario).scenario, kind)
  const order: NewOrder = {
    kind,
    requestId: requestId ?? `order-${randomUUID()}`,
    fiatAmount,
    currencyId,
    email,
    request: kind === 'subscription' ? { interval: 'MONTHLY', ...request } : request,
    metadata: metadata === undefined ? null : JSON.stringify(metadata),
  }
  const hints = { control: scenario ?? null, header: null, metadata: null }
  const made = await lifecycle.createOrder(client, order, hints, { isCalled: false })
  return made.order
}

function refuseOtherKinds(scenario: { id: string; for: readonly string[] | null }, kind: string): void {
  if (scenario.for === null || scenario.for.includes(kind)) return
  const problems = `scenario: "${scenario.id}" is for ${scenario.for.join(', ')}, not for ${kind}`
  throw new EmulatorError('invalid_input', { problems })
}

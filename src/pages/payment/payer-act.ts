import type { Context } from 'hono'
import * as z from 'zod'
import type { Order } from '../../domain/order.ts'
import type { PageState } from '../../domain/payer-page.ts'
import { payOutcomes } from '../../domain/scenario/scenario.ts'
import { formIn } from '../form-in.ts'

const payerAct = z.object({
  outcome: z.enum(payOutcomes),
  errorCode: z.string().min(1).max(32).optional(),
})

/** What a payer chose. */
export type PayerAct = z.output<typeof payerAct>

/** Reads what a form of the page sends; null if it is nothing that the page has.
 *  @throws too_large, body_cut, invalid_input */
export async function payerActIn(c: Context): Promise<PayerAct | null> {
  const { success, data } = payerAct.safeParse(Object.fromEntries(await formIn(c)))
  return success ? data : null
}

/** Whether an order stands where this act would have taken it: then a second click has lost nothing. */
export function isDone(
  act: PayerAct,
  state: PageState,
  { errorReason }: Pick<Order, 'errorReason'>,
): boolean {
  const { outcome, errorCode } = act
  const isOther = outcome === 'failed' && errorCode !== undefined && errorCode !== errorReason?.errorCode
  const there: Readonly<Record<PayerAct['outcome'], readonly PageState[]>> = {
    completed: ['paid', 'completed'],
    failed: ['failed'],
    abandoned: ['abandoned'],
  }
  return there[outcome].includes(state) && !isOther
}

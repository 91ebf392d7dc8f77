import { Finding } from '../finding.ts'
import type { Stage } from '../stage/stage.ts'
import type { StagedOrder } from '../stage/staged-order.ts'

/** Another order, to see whether the application has survived. @param what it had to bear @throws Finding */
export async function orderAfter(stage: Stage, what: string): Promise<StagedOrder> {
  const { order, answer } = await stage.begin()
  await answer
  const begun = await order()
  if (begun.orderId === null)
    throw new Finding({ defect: 'crashed', did: `After ${what} it created no more orders: ${begun.told}.` })
  return begun
}

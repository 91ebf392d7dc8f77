import { join } from 'node:path'

/** Under these arguments of `serve` a month takes 2.6 seconds, and the scenarios of `lifeOf` are known. */
export const fastLives = ['--clock', '1000000x', '--scenarios', join(import.meta.dirname, 'scenarios')]

/** The scenario of the n-th order of a load: some have refunds, some are subscriptions. */
export function lifeOf(n: number): string {
  if (n % 10 === 0) return 'long-subscription'
  return n % 5 === 1 ? 'long-refunds' : 'long-happy'
}

/** The final state of one record of a scenario. */
interface End {
  readonly orderStatus: string
  /** The words of its history. */
  readonly history: string
  readonly refunds: readonly string[]
}

const paid = 'created,paid,payment,order'
const charged = 'created,payment,order'
const completed = { orderStatus: 'COMPLETED', refunds: [] }

/** How each scenario ends: its record, or those of its charges. Written by hand, from what the files mean. */
export const endsOf: Readonly<Record<string, readonly End[]>> = {
  happy: [{ ...completed, history: paid }],
  'long-happy': [{ ...completed, history: paid }],
  'long-refunds': [
    {
      orderStatus: 'COMPLETED',
      history: `${paid},refund 1,refund 2,refund error`,
      refunds: ['3.00 REFUND_INITIATED', '2.50 REFUND_INITIATED'],
    },
  ],
  'long-subscription': [
    { ...completed, history: `${paid},charge 2,charge 3,charge 4` },
    { ...completed, history: charged },
    { orderStatus: 'FAILED', history: charged, refunds: [] },
    { ...completed, history: charged },
  ],
}

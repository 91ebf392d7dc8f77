import { ProbeFailed, type Seen } from '../application/application.ts'
import type { Case } from '../case.ts'
import { Finding } from '../finding.ts'
import { inWords } from '../stage/expectation.ts'
import { happy, type Script } from '../stage/scripts.ts'
import type { Stage } from '../stage/stage.ts'
import type { StagedOrder } from '../stage/staged-order.ts'
import { simplerFailures } from './found-before.ts'

const refundedInParts: Script = {
  timeline: [
    ...happy.timeline,
    { at: '60s', refund: '30%' },
    { at: '90s', refund: '25%' },
    { at: '120s', refund: '10%' },
    { at: '150s', refundError: '9006.1' },
  ],
}

export const partialRefunds: Case = {
  id: 'K51',
  level: 'SHOULD',
  title: 'Two partial refunds, and one that fails',
  happens:
    'Of a paid order, 30 % and then 25 % are refunded. A third refund fails with 9006.1. The order stays COMPLETED.',
  right: 'Keep the order paid and its fulfilment, and keep running.',
  why: 'A partial refund is no cancellation. An application that takes it for one takes back goods that are still paid for.',
  explainedBy: [...simplerFailures, { cases: ['K35'], defect: 'server-error' }],
  async run(stage) {
    stage.needs('start', 'probe')
    const order = await stage.order({ follows: refundedInParts })
    await stage.advance('10s')
    await order.isPaidBefore()
    for (const by of ['60s', '30s', '30s']) {
      await stage.advance(by)
      await stage.tryReconcile()
    }
    await stage.advanceAtLeast('60s')
    const ended = await stage.tryReconcile()
    await keepsItsFulfilment(order, stage)
    if (ended?.error == null) return
    throw new Finding({
      defect: 'server-error',
      did: `Its \`reconcile\` call fails since there were refunds: ${ended.error}.`,
      requestId: order.requestId,
    })
  },
}

/** Checks that the order stays fulfilled once. Its status may say that a part was refunded.
 *  @throws Finding */
async function keepsItsFulfilment(order: StagedOrder, stage: Stage): Promise<void> {
  await stage.until(async () => {
    const seen = await looked(order)
    if (seen === null) return true
    const isKept = (seen.effects ?? 1) === 1 && ['COMPLETED', 'other'].includes(seen.state)
    if (isKept) return false
    throw new Finding({
      defect: (seen.effects ?? 1) > 1 ? 'doubled' : 'wrong-status',
      did: `Parts of the order were refunded, and afterwards ${inWords(seen)}`,
      requestId: order.requestId,
    })
  }, stage.app.settleMs)
}

async function looked(order: StagedOrder): Promise<Seen | null> {
  try {
    return await order.look()
  } catch (error) {
    if (!(error instanceof ProbeFailed)) throw error
    throw new Finding({
      defect: error.status === null ? 'crashed' : 'server-error',
      did: `Since there were refunds, the probe fails: ${error.message}.`,
      requestId: order.requestId,
    })
  }
}

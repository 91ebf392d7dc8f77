import { chargedSoFar, monthly, nextCharge } from '../acts/subscription.ts'
import { ProbeFailed, type Seen } from '../application/application.ts'
import type { Case } from '../case.ts'
import { Finding, WrongBefore } from '../finding.ts'
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
    'Of a paid order, 30 % and then 25 % are refunded. A third refund fails with 9006.1. The order stays COMPLETED. Of the first charge of a subscription, 30 % are refunded, and the next charge is COMPLETED.',
  right: 'Keep the order paid and its fulfilment, fulfil later charges, and keep running.',
  why: 'A partial refund is no cancellation. An application that takes it for one takes back goods that are still paid for.',
  explainedBy: [
    ...simplerFailures,
    { cases: ['K35'], defect: 'server-error' },
    { cases: ['K37'], defect: 'lost' },
  ],
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
    if (ended?.error != null)
      throw new Finding({
        defect: 'server-error',
        did: `Its \`reconcile\` call fails since there were refunds: ${ended.error}.`,
        requestId: order.requestId,
      })
    if (stage.app.startSubscription !== null) await goesOnCharging(stage)
  },
}

/** Checks that a subscription goes on after a part of one charge was refunded.
 *  @throws Finding */
async function goesOnCharging(stage: Stage): Promise<void> {
  const order = await stage.order({ kind: 'subscription', follows: monthly })
  if ((await order.probe())?.effects == null) return
  await stage.advance('10s')
  await nextCharge(order, stage)
  const charged = await chargedSoFar(order, stage)
  await order.reaches(charged, 'doubled')
  await refundPart(order, stage)
  await stage.tryReconcile()
  await nextCharge(order, stage)
  try {
    await order.reaches(await chargedSoFar(order, stage), 'doubled')
  } catch (error) {
    if (!(error instanceof Finding)) throw error
    const did = `Of a subscription's charge, 30 % were refunded, and a month later it was charged again. ${error.words.did}`
    throw new Finding({ ...error.words, did })
  }
}

async function refundPart({ requestId }: StagedOrder, stage: Stage): Promise<void> {
  const all = await stage.client.orders.list({ requestId })
  const charge = all.findLast(({ orderStatus }) => orderStatus === 'COMPLETED')
  if (charge === undefined) throw new WrongBefore('no charge of the subscription was COMPLETED', 'K37')
  const fiatAmount = (Number(charge.fiatAmount) * 0.3).toFixed(2)
  await stage.client.orders.refund({ orderId: charge.orderId }, { fiatAmount })
  stage.note('refunds 30 % of the last charge', { about: requestId })
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

import { together } from '../acts/until-paid.ts'
import type { Case } from '../case.ts'
import { Finding } from '../finding.ts'
import { inWords } from '../stage/expectation.ts'
import { payLater, type Script } from '../stage/scripts.ts'
import type { Stage } from '../stage/stage.ts'
import type { StagedOrder } from '../stage/staged-order.ts'
import { simplerFailures } from './found-before.ts'

const offsets = ['-03:00', '+05:30']

/** An order that expires in an hour, and whose times are written with another offset from UTC. */
const written = (offset: string): Script => ({
  ...payLater,
  settings: { 'orders.expiry': '1h', 'time.offset': offset },
})

export const otherOffset: Case = {
  id: 'K54',
  level: 'MUST',
  sideBySide: true,
  title: 'Times with another offset from UTC',
  happens: `The \`expiryTs\` of two orders is an hour ahead, written with the offset ${offsets.join(' and ')}. After ten minutes they are paid.`,
  right: 'Read the offset of each time. Follow the orders until they expire, and fulfil them once.',
  why: 'An application that ignores the offset expires orders hours early, while their customers are still paying.',
  explainedBy: simplerFailures,
  async run(stage) {
    stage.needs('start', 'probe')
    const orders: StagedOrder[] = []
    for (const offset of offsets) orders.push(await stage.order({ follows: written(offset) }))
    await stage.advance('10s')
    await together(orders, (order) => order.isUnpaidBefore())
    await stage.advance('10m')
    await stage.reconcile()
    await stage.pause(stage.app.actsWithinMs)
    await together(orders, (order) => isNotExpired(order, stage))
    for (const order of orders) await order.pay()
    await stage.advanceAtLeast('10s')
    await together(orders, (order) => order.endsPaid())
  },
}

/** @throws Finding if the application has given the order up, 49 minutes before it expires */
async function isNotExpired(order: StagedOrder, { client }: Stage): Promise<void> {
  const seen = await order.look()
  if (seen === null || ['CREATED', 'other'].includes(seen.state)) return
  const [record] = await client.orders.list({ requestId: order.requestId, limit: 1 })
  const leftMs = (record?.expiresAt ?? 0) - (await client.clock.now())
  throw new Finding({
    defect: seen.state === 'COMPLETED' ? 'premature' : 'wrong-status',
    did: `The order expires in ${Math.round(leftMs / 60_000)} minutes and is CREATED, but ${inWords(seen)}`,
    requestId: order.requestId,
    deliveryId: null,
  })
}

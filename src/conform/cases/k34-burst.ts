import { allBecomePaid } from '../all-paid.ts'
import type { Case } from '../case.ts'
import { NotSeen, WrongBefore } from '../finding.ts'
import { happy, type Script } from '../scripts.ts'
import type { Stage } from '../stage.ts'
import { foundInNormalLife } from './found-before.ts'

const wanted = 100

/** What is refused comes again each second, until all is taken. */
const persistent: Script = {
  ...happy,
  settings: {
    'webhook.retry.base': '1s',
    'webhook.retry.cap': '1s',
    'webhook.retry.max': 50,
    'webhook.timeout': '3s',
  },
}

/** What comes after an outage of the service, or on the day of the big sale. */
export const burst: Case = {
  id: 'K34',
  level: 'MUST',
  title: 'Two hundred webhooks at once',
  happens:
    'A hundred orders are created and paid while the webhooks are held up; then the two hundred webhooks about them come as fast as they are answered, 16 at the same moment.',
  right:
    'Release once for each of the hundred orders. Whoever has too much to do answers 503 and gets that webhook again.',
  why: 'After an outage everything comes at once; what gets lost then, nobody sends again.',
  explainedBy: [{ cases: ['K14', 'K15'], defect: 'lost' }, ...foundInNormalLife],
  async run(stage) {
    await answersOne(stage)
    await stage.client.deliveries.hold()
    const orders = await stage.many(wanted, persistent)
    if (orders.length === 0) throw new NotSeen('the application made no orders when it was asked for many')
    if (orders.length < wanted)
      stage.remark(`It created ${orders.length} of ${wanted} orders; only these were judged.`)
    await stage.advance('10s')
    stage.note('lets go of all webhooks')
    await stage.client.deliveries.release()
    await stage.settle()
    await untilTaken(stage)
    await allBecomePaid(stage, orders)
  },
}

/** Who hangs or does nothing when one webhook comes need not be sent two hundred. */
async function answersOne(stage: Stage): Promise<void> {
  if (stage.app.start === null)
    throw new NotSeen('it needs `start`: a call that makes your application create an order')
  if (stage.app.probe === null) throw new NotSeen('what your application holds the orders for: give `probe`')
  const order = await stage.order()
  await stage.advance('10s')
  await order.isPaidBefore()
  const attempts = (await order.deliveries()).flatMap((delivery) => delivery.attempts)
  if (attempts.every(({ status }) => status === null)) throw new WrongBefore('it answered no webhook', 'K03')
}

/** As long as the application gets on with it. */
async function untilTaken(stage: Stage): Promise<void> {
  const pending = async () => (await stage.client.deliveries.list({ status: 'pending' })).length
  let before = Number.POSITIVE_INFINITY
  for (let left = await pending(); left > 0 && left < before; left = await pending()) {
    before = left
    await stage.advance('1s')
  }
}

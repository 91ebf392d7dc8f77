import { stopwatch } from '../../time/wall.ts'
import { allBecomePaid, askingToWait } from '../acts/until-paid.ts'
import type { Case } from '../case.ts'
import { inWords } from '../evidence/webhook-answer.ts'
import { Finding, NotSeen, WrongBefore } from '../finding.ts'
import { happy, type Script } from '../stage/scripts.ts'
import type { Stage } from '../stage/stage.ts'
import type { StagedOrder } from '../stage/staged-order.ts'
import { foundInNormalLife } from './found-before.ts'

const wanted = 100
/** How long the case waits for the application's rate limits at most. */
const longestPauseMs = 15_000

/** A failed webhook is retried every second, until all are accepted. */
const persistent: Script = {
  ...happy,
  settings: {
    'webhook.retry.base': '1s',
    'webhook.retry.cap': '1s',
    'webhook.retry.max': 50,
    'webhook.timeout': '3s',
  },
}

export const burst: Case = {
  id: 'K34',
  level: 'MUST',
  title: 'Two hundred webhooks at once',
  happens:
    'A hundred orders are created and paid while their webhooks are held back. Then the two hundred webhooks arrive as fast as they are answered, 16 at the same time.',
  right:
    'Fulfil each of the hundred orders once. If your application is overloaded, answer 503: the service sends that webhook again.',
  why: 'After an outage all webhooks arrive together. The service does not repeat the ones that your application accepts and then loses.',
  explainedBy: [{ cases: ['K14', 'K15'], defect: 'lost' }, ...foundInNormalLife],
  async run(stage) {
    await answersOne(stage)
    await stage.client.deliveries.hold()
    const orders = await stage.many(wanted, persistent)
    if (orders.length < wanted)
      stage.cannotSee(`how it handles ${wanted} orders: it created only ${orders.length} of them`)
    await stage.advance('10s')
    stage.note('releases all webhooks')
    await stage.client.deliveries.release()
    await stage.settle()
    await untilTaken(stage)
    await noneIsLost(stage, orders)
  },
}

/** Checks one webhook first: an application that never answers or does nothing need not receive two hundred. */
async function answersOne(stage: Stage): Promise<void> {
  if (stage.app.start === null)
    throw new NotSeen('it needs `start`: a call that makes your application create an order')
  if (stage.app.probe === null)
    throw new NotSeen('which status your application gives the orders: set `probe`')
  const order = await stage.order()
  await stage.advance('10s')
  await order.isPaidBefore()
  const attempts = (await order.deliveries()).flatMap((delivery) => delivery.attempts)
  if (attempts.every(({ status }) => status === null)) throw new WrongBefore('it answered no webhook', 'K03')
}

/** Advances the clock as long as more webhooks get accepted. If the application asks for a pause, wall-clock time
 *  passes before each retry, because rate limits count real seconds. */
async function untilTaken(stage: Stage): Promise<void> {
  const watch = stopwatch()
  const pending = () => stage.client.deliveries.list({ status: 'pending' })
  let before = Number.POSITIVE_INFINITY
  for (let left = await pending(); left.length > 0; left = await pending()) {
    const pauses = askingToWait(left).length > 0 && stopwatch() - watch < longestPauseMs
    if (left.length >= before && !pauses) return
    before = left.length
    if (pauses) await stage.pause(Math.min(stage.app.settleMs, longestPauseMs / 10))
    await stage.advance('1s')
  }
}

/** Requires that every order is fulfilled.
 *  @throws Finding; NotSeen if the application still asks for retries */
async function noneIsLost(stage: Stage, orders: readonly StagedOrder[]): Promise<void> {
  try {
    await allBecomePaid(stage, orders)
  } catch (error) {
    if (!(error instanceof Finding) || error.words.defect !== 'lost') throw error
    const busy = askingToWait(await stage.client.deliveries.list({ orderStatus: 'COMPLETED' }))
    const [first] = busy
    if (first === undefined) throw error
    throw new NotSeen(
      `it still ${inWords(first)} to ${busy.length} webhooks, which asks the service to send them again later`,
    )
  }
}

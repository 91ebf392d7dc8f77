import type { Case } from '../case.ts'
import { Finding, NotSeen } from '../finding.ts'
import type { Defect } from '../report.ts'
import { inWords } from '../stage/expectation.ts'
import { payLater, type Script } from '../stage/scripts.ts'
import type { Stage } from '../stage/stage.ts'
import type { StagedOrder } from '../stage/staged-order.ts'
import { foundByLateWebhook, simplerFailures } from './found-before.ts'

/** The order is created, and the answer of its create call is lost. */
const answerLost: Script = {
  ...payLater,
  answers: [{ on: 'create-order', when: 'stored', effect: { cut: true }, times: 1 }],
}

export const sameCartTwice: Case = {
  id: 'K45',
  level: 'SHOULD',
  sideBySide: 'usual',
  title: 'The customer submits the same cart twice',
  happens:
    'The answer of the create call is lost. The customer submits the same cart again, and every order that exists now is paid.',
  right:
    'Let the second attempt lead to the first order. Or fulfil once, and show the second payment in a status of its own.',
  why: 'Customers who see an error try again. Two orders that can both be paid take the money twice for one cart.',
  explainedBy: [...simplerFailures, ...foundByLateWebhook, { cases: ['K18'], defect: 'second-order' }],
  async run(stage) {
    stage.needs('start', 'probe')
    if (!stage.app.takes('cart'))
      throw new NotSeen(
        'which start calls are about the same cart: put {cart} into the call of `start`, like `body: { cart: "{cart}" }`',
      )
    const [first, ...others] = await submittedTwice(stage)
    if (first === undefined) throw new NotSeen('no order was created for either attempt')
    for (const order of [first, ...others]) await order.pay()
    await stage.advanceAtLeast('10s')
    stage.letClockGo()
    const [second] = others
    if (second === undefined) return first.endsPaid()
    await isFulfilledOnceAndVisible([first, second], stage)
  },
}

/** Submits a cart twice.
 *  @returns the orders that exist for it at the service: one, or two */
function submittedTwice(stage: Stage): Promise<StagedOrder[]> {
  return stage.starting(async () => {
    const unique = stage.unique()
    const given = { unique, cart: `cart-${unique}` }
    const orders: StagedOrder[] = []
    for (const follows of [answerLost, payLater]) {
      const begun = await stage.begin({ follows, given, mayRepeat: true })
      await begun.answer
      const order = await begun.order(stage.app.settleMs)
      const isNew = orders.every(({ orderId }) => orderId !== order.orderId)
      if (order.orderId !== null && isNew) orders.push(order)
    }
    return orders
  })
}

/** Requires that two paid orders for one cart are fulfilled once, and that the other payment is visible.
 *  @throws Finding */
async function isFulfilledOnceAndVisible(
  orders: readonly [StagedOrder, StagedOrder],
  stage: Stage,
): Promise<void> {
  await stage.reconcile()
  await stage.pause(stage.app.settleMs)
  const seen = await Promise.all(orders.map((order) => order.look()))
  const fulfilled = seen.filter((each) => (each?.effects ?? (each?.state === 'COMPLETED' ? 1 : 0)) > 0).length
  const silent = seen.filter((each) => each?.state === 'CREATED' || each?.state === 'unknown').length
  const [first, second] = orders
  const made = `The customer submitted one cart twice, and it created two orders that could be paid, ${first.requestId} and ${second.requestId}`
  const finding = (defect: Defect, did: string) =>
    new Finding({ defect, did: `${made}. ${did}`, requestId: second.requestId, deliveryId: null })
  if (fulfilled > 1) throw finding('second-order', 'Both were paid, and it fulfilled both.')
  if (fulfilled === 1 && silent === 0) return
  throw finding(
    fulfilled === 0 ? 'lost' : 'second-order',
    `Both were paid: of the first ${inWords(seen[0] ?? null)}, of the second ${inWords(seen[1] ?? null)}.`,
  )
}

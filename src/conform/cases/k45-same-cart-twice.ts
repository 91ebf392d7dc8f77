import { answerHeld, releasedBy } from '../acts/held-answer.ts'
import { together } from '../acts/until-paid.ts'
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
  title: 'The customer submits the same cart twice',
  happens:
    'The answer of the create call is lost, and the customer submits the same cart again. Another customer clicks twice, the second time before the first create call is answered. Every order that exists then is paid.',
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
    const carts = [await submittedAgain(stage), await clickedTwice(stage)]
    for (const order of carts.flatMap(({ orders }) => orders)) await order.pay()
    await stage.advance('10s')
    await together(carts, (cart) => isSoldOnce(cart, stage))
  },
}

/** A cart that was submitted twice. */
interface Cart {
  /** What the customer did. */
  readonly words: string
  /** The orders that exist for it at the service: one, or two. */
  readonly orders: readonly StagedOrder[]
}

async function submittedAgain(stage: Stage): Promise<Cart> {
  const given = cartOf(stage)
  const begin = async (follows: Script) => {
    const begun = await stage.begin({ follows, given, mayRepeat: true })
    await begun.answer
    return begun.order(stage.app.settleMs)
  }
  const orders = [await begin(answerLost), await begin(payLater)]
  return { words: 'submitted one cart twice, since the first answer was lost', orders: distinct(orders) }
}

async function clickedTwice(stage: Stage): Promise<Cart> {
  const given = cartOf(stage)
  const first = await stage.begin({ follows: answerHeld(payLater, heldFor), given, mayRepeat: true })
  await first.mustBeMade()
  const second = await stage.begin({ follows: payLater, given, mayRepeat: true })
  await stage.until(async () => (await second.made()) !== null, stage.app.settleMs)
  await releasedBy(heldFor, Promise.all([first.answer, second.answer]), stage)
  const orders = [await first.order(), await second.order()]
  return { words: 'clicked twice, the second time before the first was answered', orders: distinct(orders) }
}

const heldFor = '2s'

function cartOf(stage: Stage) {
  const unique = stage.unique()
  return { unique, cart: `cart-${unique}` }
}

/** @throws NotSeen if there is none */
function distinct(orders: readonly StagedOrder[]): StagedOrder[] {
  const made = orders.filter(({ orderId }) => orderId !== null)
  if (made.length === 0) throw new NotSeen('no order was created for either attempt')
  return made.filter(({ orderId }, n) => made.findIndex((each) => each.orderId === orderId) === n)
}

/** @throws Finding */
async function isSoldOnce({ words, orders: [first, second] }: Cart, stage: Stage): Promise<void> {
  if (first === undefined) return
  if (second === undefined) await first.endsPaid()
  else await isFulfilledOnceAndVisible([first, second], words, stage)
}

/** Requires that two paid orders for one cart are fulfilled once, and that the other payment is visible.
 *  @throws Finding */
async function isFulfilledOnceAndVisible(
  orders: readonly [StagedOrder, StagedOrder],
  words: string,
  stage: Stage,
): Promise<void> {
  await stage.reconcile()
  await stage.pause(stage.app.settleMs)
  const seen = await Promise.all(orders.map((order) => order.look()))
  const fulfilled = seen.filter((each) => (each?.effects ?? (each?.state === 'COMPLETED' ? 1 : 0)) > 0).length
  const silent = seen.filter((each) => each?.state === 'CREATED' || each?.state === 'unknown').length
  const [first, second] = orders
  const made = `The customer ${words}, and it created two orders that could be paid, ${first.requestId} and ${second.requestId}`
  const finding = (defect: Defect, did: string) =>
    new Finding({ defect, did: `${made}. ${did}`, requestId: second.requestId, deliveryId: null })
  if (fulfilled > 1) throw finding('second-order', 'Both were paid, and it fulfilled both.')
  if (fulfilled === 1 && silent === 0) return
  throw finding(
    fulfilled === 0 ? 'lost' : 'second-order',
    `Both were paid: of the first ${inWords(seen[0] ?? null)}, of the second ${inWords(seen[1] ?? null)}.`,
  )
}

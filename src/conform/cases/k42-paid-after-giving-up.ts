import { together } from '../acts/until-paid.ts'
import type { Seen } from '../application/application.ts'
import type { Case } from '../case.ts'
import { Finding, NotSeen } from '../finding.ts'
import { inWords } from '../stage/expectation.ts'
import { payLater, type Script } from '../stage/scripts.ts'
import type { Stage } from '../stage/stage.ts'
import type { StagedOrder } from '../stage/staged-order.ts'
import { simplerFailures } from './found-before.ts'

/** Longer than an application that limits the time for a payment usually waits. */
const longerThanItsLimit = '25h'

export const paidAfterGivingUp: Case = {
  id: 'K42',
  level: 'SHOULD',
  sideBySide: 'usual',
  title: 'Paid after the application has given the order up',
  happens:
    'The application gives an open order up: the customer cancels, or its own time limit passes. Then the order is paid and COMPLETED all the same. A second cancelled order is paid too, and its webhooks are lost.',
  right:
    'Fulfil once; or show in a status of its own that the order is paid and not fulfilled. Never stay silent.',
  why: 'Cancelling in your application does not stop a payment that is under way. Nobody refunds money of which nobody knows.',
  explainedBy: [...simplerFailures, { cases: ['K28'], defect: 'lost' }],
  async run(stage) {
    stage.needs('start', 'probe')
    const orders = [await openOrder(payLater, 'COMPLETED', stage)]
    // An order that only its own time limit has ended may have been left alone for a day.
    const { cancel, reconcile, saysItPolls } = stage.app
    if (cancel !== null && (saysItPolls || reconcile !== null) && !stage.learned.neverLooks)
      orders.push(await openOrder(withoutWebhooks, 'COMPLETED, and no webhook came', stage))
    const paidLate = await Promise.all(
      orders.map(async (paid) => ({ ...paid, before: await givenUp(paid.order, stage) })),
    )
    for (const { order } of paidLate) await order.pay()
    await stage.advanceAtLeast('10s')
    stage.letClockGo()
    await together(paidLate, (paid) => isKnownToBePaid(paid, stage))
  },
}

const withoutWebhooks: Script = { ...payLater, webhooks: { drop: true } }

/** An order that is paid after the application has given it up. */
interface PaidLate {
  readonly order: StagedOrder
  /** What becomes of it then. */
  readonly words: string
  /** What the application says of it when it has given it up. */
  readonly before: Seen
}

async function openOrder(
  follows: Script,
  words: string,
  stage: Stage,
): Promise<Pick<PaidLate, 'order' | 'words'>> {
  const order = await stage.order({ follows })
  await stage.settle()
  await order.isUnpaidBefore()
  return { order, words }
}

/** Makes the application give the order up.
 *  @returns what it says of the order then
 *  @throws NotSeen if it cannot be made to, or does not */
async function givenUp(order: StagedOrder, stage: Stage): Promise<Seen> {
  const { cancel, time } = stage.app
  if (cancel === null && time === null)
    throw new NotSeen(
      'how your application gives an order up: set `cancel`, like `cancel: { url: "http://127.0.0.1:3000/orders/{requestId}/cancel" }`',
    )
  if (cancel === null) {
    await stage.advanceAtLeast(longerThanItsLimit)
    await stage.reconcile()
  } else {
    stage.note('makes the application give the order up', { about: order.requestId })
    await cancel(order.requestId, order.answer.id ?? null)
  }
  let seen: Seen | null = null
  const hasGivenUp = async () => {
    seen = await order.look()
    return seen?.state !== 'CREATED'
  }
  const withinMs = cancel === null ? stage.app.settleMs : stage.app.patienceMs
  if ((await stage.until(hasGivenUp, withinMs)) && seen !== null) return seen
  throw new NotSeen(
    cancel === null
      ? `your application did not give the order up within ${longerThanItsLimit}: set \`cancel\`, if customers can cancel orders`
      : `after \`cancel\` ${inWords(seen)}, as before`,
  )
}

/** Requires that the application fulfils the order once, or shows that it is paid.
 *  @throws Finding */
async function isKnownToBePaid({ order, words, before }: PaidLate, stage: Stage): Promise<void> {
  const isKnown = async () => isReleasedOrVisible(await order.look(), before)
  if (!(await stage.until(isKnown, stage.app.settleMs))) {
    await stage.advanceAtLeast('20m')
    await stage.reconcile()
    await stage.until(isKnown, stage.longestMs)
  }
  const seen = await order.look()
  if (!isReleasedOrVisible(seen, before))
    throw new Finding({
      defect: 'lost',
      did: `It had given the order up (${inWords(before)}). Then the order was ${words}, and ${inWords(seen)} as before: nobody learns that it is paid`,
      requestId: order.requestId,
    })
  await stage.until(async () => {
    const later = await order.look()
    if ((later?.effects ?? 0) <= 1) return later === null
    throw new Finding({
      defect: 'doubled',
      did: `It had given the order up. Then the order was COMPLETED, and ${inWords(later)}; expected one at most`,
      requestId: order.requestId,
    })
  }, stage.app.settleMs)
}

/** Whether the order is fulfilled, or its status has changed since it was given up. */
function isReleasedOrVisible(seen: Seen | null, before: Seen): boolean {
  if (seen === null) return true
  if (seen.effects === null ? seen.state === 'COMPLETED' : seen.effects > 0) return true
  return seen.word !== before.word && !['CREATED', 'unknown'].includes(seen.state)
}

import { succeeded } from '../application/application.ts'
import type { Case } from '../case.ts'
import { Finding } from '../finding.ts'
import type { Stage } from '../stage/stage.ts'
import type { StagedOrder } from '../stage/staged-order.ts'
import type { Beginning } from '../stage/starts.ts'
import { simplerFailures } from './found-before.ts'

/** Maximum number of create calls while a customer waits. */
const mostCreates = 20
/** How long a customer may wait for an answer while the service is down. */
const longestWaitMs = 20_000

export const createFails: Case = {
  id: 'K19',
  level: 'MUST',
  title: 'The create call fails, and no order is created',
  happens:
    'The create call is answered 500 and no order is stored: once for one order, and for two minutes for another.',
  right:
    'Retry a few times with the same requestId, or fail cleanly and tell the customer. Fulfil nothing unless an order is paid.',
  why: 'An application that treats a failed create call as an order leaves its customers waiting forever. One that retries endlessly keeps a struggling service down.',
  explainedBy: simplerFailures,
  async run(stage) {
    stage.needs('start')
    // An application that creates no order at all is not judged.
    await stage.order()
    await failsOnce(stage)
    await failsForAWhile(stage)
  },
}

async function failsOnce(stage: Stage): Promise<void> {
  await stage.plan({ on: 'create-order', effect: { status: 500 }, times: 1 })
  stage.note('the next create call will fail')
  const begun = await stage.begin()
  await begun.answer
  await comesToAGoodEnd(await begun.order(), begun, stage)
}

async function failsForAWhile(stage: Stage): Promise<void> {
  await stage.plan({ on: 'create-order', effect: { status: 500 }, times: null, for: '2m' })
  stage.note('every create call will fail for two minutes')
  const before = (await creates(stage)).length
  const begun = await stage.begin()
  const count = async () => (await creates(stage)).length - before
  let answered = false
  void begun.answer.then(() => {
    answered = true
  })
  await stage.until(async () => answered || (await count()) > mostCreates, longestWaitMs)
  await stage.until(async () => (await count()) > mostCreates, stage.app.settleMs)
  refuseEndless(await count())
  await stage.advance('3m')
  await begun.answer
  await comesToAGoodEnd(await begun.order(), begun, stage)
}

function refuseEndless(count: number): void {
  if (count <= mostCreates) return
  throw new Finding({
    defect: 'endless',
    did: `It made ${count} create calls in a row while each was answered 500`,
    should: 'Retry a few times, with growing pauses, and then fail cleanly.',
  })
}

const creates = async (stage: Stage) =>
  (await stage.calls()).filter(({ operation }) => operation?.startsWith('create-'))

/** Checks that an order that exists in the end is paid. Without an order, the application must not have answered
 *  success. */
async function comesToAGoodEnd(order: StagedOrder, begun: Beginning, stage: Stage): Promise<void> {
  const made = async () => (await begun.made()) !== null
  const waitedMs = stage.longestMs
  const decided = async () => (await made()) || (await hasFailed(order))
  if (!(await made()) && succeeded(order.answer) && !(await stage.until(decided, stage.app.settleMs))) {
    await stage.reconcile()
    await stage.until(decided, waitedMs)
  }
  if (await made()) {
    await stage.advance('10s')
    return (await begun.order()).endsPaid()
  }
  if (order.known) await order.staysWithoutEffect()
  if (succeeded(order.answer) && !(await hasFailed(order))) throw lost(order, waitedMs, stage)
}

function lost(order: StagedOrder, waitedMs: number, stage: Stage): Finding {
  const seconds = waitedMs / 1_000
  stage.note('has watched until now: no order was created')
  return new Finding({
    defect: 'lost',
    did: `It told its customer that the order is placed (${order.answerText}), but no order was created, neither then nor within ${seconds} s of wall-clock time`,
    should: `${createFails.right} If a job of yours creates the order later than that, set \`reconcile\` (a call that starts the job) or a longer \`polling\`.`,
  })
}

/** Whether the application shows the order as failed; true if it cannot be probed. */
async function hasFailed(order: StagedOrder): Promise<boolean> {
  if (!order.known) return false
  const seen = await order.look()
  return seen === null || seen.state === 'FAILED' || seen.state === 'other'
}

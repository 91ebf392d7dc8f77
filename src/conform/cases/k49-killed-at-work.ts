import { answerHeld, releasedBy } from '../acts/held-answer.ts'
import { slowLookups } from '../acts/until-paid.ts'
import type { ApplicationProcess } from '../application/process.ts'
import type { Case } from '../case.ts'
import { isTaken } from '../evidence/webhook-answer.ts'
import { Finding, NotSeen } from '../finding.ts'
import { payLater } from '../stage/scripts.ts'
import type { Stage } from '../stage/stage.ts'
import type { StagedOrder } from '../stage/staged-order.ts'
import { simplerFailures } from './found-before.ts'

export const killedAtWork: Case = {
  id: 'K49',
  level: 'SHOULD',
  wholeClient: true,
  title: 'The application is killed at work',
  happens:
    'The webhook of COMPLETED is answered 2xx. Right after that the application is killed, and started again. Then it is killed once more, when a lookup has just told it of a payment, and while its create call for another order is not answered yet; that order is paid as well.',
  right:
    'Fulfil each order in the end, once: store an order before you create it and an event before you answer it, and go on at the start.',
  why: 'Every deployment and every crash ends a process. A webhook that was answered 2xx never comes again.',
  explainedBy: simplerFailures,
  async run(stage) {
    stage.needs('start', 'probe', 'webhookUrl')
    const { process } = stage
    if (process === null)
      throw new NotSeen(
        'what your application does after a crash: give the command that starts it, as in `payment-order-emulator conform -- npm start`',
      )
    await afterItsAnswer(process, stage)
    await inTheMiddle(process, stage)
  },
}

/** @throws Finding */
async function afterItsAnswer(process: ApplicationProcess, stage: Stage): Promise<void> {
  const order = await stage.order({ follows: payLater })
  await order.isUnpaidBefore()
  await order.pay()
  await untilItsAnswer(order, stage)
  await startAgain(process, stage)
  await endsPaid(order, 'It answered the webhook of COMPLETED with 2xx, was killed and started again')
}

/** Longer than it takes until the other order is COMPLETED. */
const heldFor = '30s'

/** Kills it once more: it has just learned of a payment, and a create call of its own is under way.
 *  @throws Finding */
async function inTheMiddle(process: ApplicationProcess, stage: Stage): Promise<void> {
  const order = await stage.order({ follows: payLater })
  const begun = await stage.begin({ follows: answerHeld(payLater, heldFor) })
  await begun.mustBeMade()
  await order.pay()
  await stage.advance('3s')
  await stage.until(() => hasLearned(order), stage.app.actsWithinMs)
  await startAgain(process, stage)
  await releasedBy(heldFor, begun.answer, stage)
  const other = await begun.order()
  // Its own id of that order was in the answer that never came.
  if (other.canBeProbed) await other.pay()
  await stage.advance('10s')
  await endsPaid(order, 'It was killed when a lookup had just told it of the payment, and started again')
  if (!other.canBeProbed) return
  await endsPaid(
    other,
    'It was killed while its create call was under way, and started again. The service has the order, and it was paid',
  )
}

/** Whether a lookup has told the application that the order is paid. */
async function hasLearned(order: StagedOrder): Promise<boolean> {
  return (await order.calls()).some(({ response }) => /"orderStatus":\s*"COMPLETED"/.test(response))
}

/** Advances until the webhook of COMPLETED is answered. The lookups of the order are slow, so that an application that
 *  answers first still has its work to do. */
async function untilItsAnswer(order: StagedOrder, stage: Stage): Promise<void> {
  const fault = await slowLookups(stage, order, { delay: '2s', lasting: '5s' })
  await stage.advance('3s')
  const isAnswered = async () =>
    (await order.deliveries('COMPLETED')).some(({ attempts }) => attempts.some(isTaken))
  if (!(await stage.until(isAnswered, Math.min(stage.app.settleMs, 500)))) {
    await stage.advance('3s')
    if (!(await stage.until(isAnswered)))
      throw new NotSeen('the application did not accept the webhook of COMPLETED')
  }
  // While the application starts, the clock stands still; a slow lookup of the new process would never end.
  await stage.unplan(fault)
}

/** @throws Finding if the application does not start */
async function startAgain(process: ApplicationProcess, stage: Stage): Promise<void> {
  stage.note('kills the application, and starts it again')
  try {
    await process.restart()
  } catch (error) {
    throw new Finding({
      defect: 'crashed',
      did: `It was killed, and did not start again: ${error instanceof Error ? error.message : error}`,
      should: 'Start after a crash too: remove what a former process has left, like a lock file.',
    })
  }
}

async function endsPaid(order: StagedOrder, before: string): Promise<void> {
  try {
    await order.endsPaid()
  } catch (error) {
    if (!(error instanceof Finding)) throw error
    const did = `${before}. Afterwards: ${error.words.did}`
    throw new Finding({
      ...error.words,
      did,
      should: `${killedAtWork.right} If it stores its orders in memory only in this test, give it a database.`,
    })
  }
}

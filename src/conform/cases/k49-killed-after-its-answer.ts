import { slowLookups } from '../acts/until-paid.ts'
import type { ApplicationProcess } from '../application/process.ts'
import type { Case } from '../case.ts'
import { isTaken } from '../evidence/webhook-answer.ts'
import { Finding, NotSeen } from '../finding.ts'
import { payLater } from '../stage/scripts.ts'
import type { Stage } from '../stage/stage.ts'
import type { StagedOrder } from '../stage/staged-order.ts'
import { simplerFailures } from './found-before.ts'

export const killedAfterItsAnswer: Case = {
  id: 'K49',
  level: 'SHOULD',
  wholeClient: true,
  title: 'The application is killed right after its answer',
  happens:
    'The webhook of COMPLETED is answered 2xx. Right after that the application is killed, and started again.',
  right: 'Fulfil the order in the end, once: store the event before you answer it, and go on at the start.',
  why: 'Every deployment and every crash ends a process. A webhook that was answered 2xx never comes again.',
  explainedBy: simplerFailures,
  async run(stage) {
    stage.needs('start', 'probe', 'webhookUrl')
    const { process } = stage
    if (process === null)
      throw new NotSeen(
        'what your application does after a crash: give the command that starts it, as in `payment-order-emulator conform -- npm start`',
      )
    const order = await stage.order({ follows: payLater })
    await order.isUnpaidBefore()
    await order.pay()
    await untilItsAnswer(order, stage)
    stage.note('kills the application, and starts it again')
    await startAgain(process)
    await endsPaid(order)
  },
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
async function startAgain(process: ApplicationProcess): Promise<void> {
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

async function endsPaid(order: StagedOrder): Promise<void> {
  try {
    await order.endsPaid()
  } catch (error) {
    if (!(error instanceof Finding)) throw error
    const did = `It answered the webhook of COMPLETED with 2xx, was killed and started again. Afterwards: ${error.words.did}`
    throw new Finding({
      ...error.words,
      did,
      should: `${killedAfterItsAnswer.right} If it stores its orders in memory only in this test, give it a database.`,
    })
  }
}

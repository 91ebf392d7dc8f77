import type { Case } from '../case.ts'
import { Finding } from '../finding.ts'
import { payLater } from '../stage/scripts.ts'
import { simplerFailures } from './found-before.ts'

export const aheadOfTheLookup: Case = {
  id: 'K20',
  level: 'MUST',
  sideBySide: true,
  title: 'A webhook that the lookup contradicts',
  happens:
    'A webhook says COMPLETED while the lookup still says CREATED. Later the order is really paid, and a webhook says FAILED.',
  right: 'Do not fulfil until the lookup says COMPLETED, then fulfil once, and do not revoke it.',
  why: 'Otherwise anyone who knows the webhook URL can get goods without paying.',
  explainedBy: simplerFailures,
  async run(stage) {
    const order = await stage.order({ follows: payLater })
    await order.isUnpaidBefore()
    await stage.send({ event: { requestId: order.requestId, orderStatus: 'COMPLETED' } })
    await order.staysWithoutEffect('believed')
    await order.pay()
    await stage.advanceAtLeast('10s')
    await order.endsPaid()
    await stage.send({ event: { requestId: order.requestId, orderStatus: 'FAILED', errorCode: '9004' } })
    await believedIfNot(() => order.staysPaid())
  },
}

/** Runs a check of a paid order after a FAILED webhook. If the check fails, the application has trusted the webhook. */
async function believedIfNot(stays: () => Promise<void>): Promise<void> {
  try {
    await stays()
  } catch (error) {
    if (!(error instanceof Finding) || error.words.defect === 'crashed') throw error
    const did = `A webhook said FAILED for the paid order, while the lookup did not: ${error.words.did}`
    throw new Finding({ ...error.words, defect: 'believed', did })
  }
}

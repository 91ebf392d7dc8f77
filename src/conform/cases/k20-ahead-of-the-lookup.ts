import type { JournalEntry } from '../../index.ts'
import type { Case } from '../case.ts'
import { lookupsOf } from '../evidence/service-calls.ts'
import { Finding } from '../finding.ts'
import { payLater } from '../stage/scripts.ts'
import type { Stage } from '../stage/stage.ts'
import type { StagedOrder } from '../stage/staged-order.ts'
import { simplerFailures } from './found-before.ts'

export const aheadOfTheLookup: Case = {
  id: 'K20',
  level: 'MUST',
  sideBySide: 'usual',
  title: 'A webhook that the lookup contradicts',
  happens:
    'A webhook says COMPLETED while the lookup still says CREATED. Later the order is really paid, and a webhook says FAILED.',
  right: 'Do not fulfil until the lookup says COMPLETED, then fulfil once, and do not revoke it.',
  why: 'Otherwise anyone who knows the webhook URL can get goods without paying.',
  explainedBy: simplerFailures,
  async run(stage) {
    const order = await stage.order({ follows: payLater })
    await order.isUnpaidBefore()
    await contradicted('COMPLETED', order, stage, () => order.staysWithoutEffect('believed'))
    await order.pay()
    await stage.advanceAtLeast('10s')
    await order.endsPaid()
    stage.letClockGo()
    await contradicted('FAILED', order, stage, async () => {
      try {
        await order.staysPaid()
      } catch (error) {
        throw error instanceof Finding ? asBelieved(error) : error
      }
    })
  },
}

/** Whatever changes in a paid order after a forged FAILED, the application has trusted the webhook. */
function asBelieved({ words }: Finding): Finding {
  if (words.defect === 'crashed') return new Finding(words)
  const did = `A webhook said FAILED for the paid order, while the lookup did not: ${words.did}`
  return new Finding({ ...words, defect: 'believed', did })
}

/** Sends a webhook with a status that the lookup contradicts, and runs a check. If the application has trusted the
 *  webhook, the finding says whether it looked the order up.
 *  @throws Finding */
async function contradicted(
  orderStatus: 'COMPLETED' | 'FAILED',
  { requestId }: StagedOrder,
  stage: Stage,
  check: () => Promise<void>,
): Promise<void> {
  const earlier = new Set((await lookupsOf(requestId, stage)).map(({ id }) => id))
  const reason = orderStatus === 'FAILED' ? { errorCode: '9004' } : {}
  await stage.send({ event: { requestId, orderStatus, ...reason } })
  try {
    await check()
  } catch (error) {
    if (!(error instanceof Finding) || error.words.defect !== 'believed') throw error
    const lookups = (await lookupsOf(requestId, stage)).filter(({ id }) => !earlier.has(id))
    const did = `${error.words.did}. ${inWords(lookups)}`
    throw new Finding({ ...error.words, did })
  }
}

/** Describes what the application has looked up between a forged webhook and its effect. */
function inWords(lookups: readonly JournalEntry[]): string {
  const last = lookups.at(-1)
  if (last === undefined)
    return 'Between the webhook and that, it looked nothing up: it acted on the webhook alone.'
  const times = lookups.length === 1 ? 'once' : `${lookups.length} times`
  const answer = last.status === 200 ? 'the answer' : `that the answer was ${last.status}`
  return `Between the webhook and that, it looked the order up ${times}, and ignored ${answer}.`
}

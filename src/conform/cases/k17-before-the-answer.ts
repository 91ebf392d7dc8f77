import { ProbeFailed, type Seen } from '../application/application.ts'
import type { Case } from '../case.ts'
import { createCalls, isGivenUp } from '../evidence/service-calls.ts'
import { isTaken } from '../evidence/webhook-answer.ts'
import { Finding } from '../finding.ts'
import { inWords, isMet, paid } from '../stage/expectation.ts'
import type { Script } from '../stage/scripts.ts'
import type { Stage } from '../stage/stage.ts'
import type { StagedOrder } from '../stage/staged-order.ts'
import type { Beginning } from '../stage/starts.ts'
import { simplerFailures } from './found-before.ts'

/** CREATED and COMPLETED arrive after one second, the answer of the create call after four. The webhook timeout is
 *  short, so that the create call does not time out if a handler waits for its answer. */
const fasterThanTheAnswer: Script = {
  settings: { 'webhook.timeout': '2s' },
  timeline: [
    { at: '500ms', pay: 'completed' },
    { at: '1s', order: 'COMPLETED' },
  ],
  webhooks: { of: 'CREATED', early: true, delay: '1s' },
  answers: [{ on: 'create-order', when: 'stored', effect: { delay: '4s' }, times: 1 }],
}

export const beforeTheAnswer: Case = {
  id: 'K17',
  level: 'MUST',
  title: 'Webhooks arrive before the answer of the create call',
  happens:
    'The answer of the create call is delayed, and the webhooks of CREATED and COMPLETED arrive first. The service sends those again that are not answered with 2xx.',
  right:
    'In the end the order is paid: store the order before the create call, or answer webhooks with an error until it is stored.',
  why: 'A webhook can be faster than the answer of the create call. An application that answers 2xx for an order that it has not stored yet never receives the event again.',
  explainedBy: simplerFailures,
  async run(stage) {
    stage.needs('start', 'probe', 'webhookUrl')
    for (let tries = 1; tries <= triesAtMost; tries++) if (await answerArrives(stage)) return
  },
}

/** On a busy machine, an application may give up its create call before the answer is released. */
const triesAtMost = 3

/** Plays an order, and judges it.
 *  @returns whether the application has waited for the answer of its create call */
async function answerArrives(stage: Stage): Promise<boolean> {
  const beginning = await stage.begin({ follows: fasterThanTheAnswer })
  await beginning.mustBeMade()
  await stage.advance('2s')
  const before = await beforeTheRelease(beginning, stage)
  stage.note('releases the answer of the create call')
  await stage.advance('3s')
  await beginning.answer
  await stage.advance('20m')
  const order = await beginning.order()
  try {
    await order.endsPaid()
  } catch (error) {
    throw (error instanceof Finding && (await overwritten(error, before, order))) || error
  }
  return !(await createCalls(order.requestId, stage)).some(isGivenUp)
}

/** What the webhook of COMPLETED has done before the create call is answered. */
interface Before {
  /** Whether the application has accepted that webhook. */
  readonly accepted: boolean
  /** The state that the application then showed; null if it could not be probed. */
  readonly seen: Seen | null
}

/** Watches what the webhook does while the answer of the create call is held back. */
async function beforeTheRelease({ made }: Beginning, stage: Stage): Promise<Before> {
  const requestId = (await made())?.requestId
  if (requestId === undefined) return { accepted: false, seen: null }
  const deliveries = await stage.client.deliveries.list({ requestId, orderStatus: 'COMPLETED' })
  const accepted = deliveries.some(({ attempts }) => attempts.some(isTaken))
  const { probe, probesById, actsWithinMs } = stage.app
  // The application's own id of the order is part of the answer that is held back.
  if (!accepted || probe === null || probesById) return { accepted, seen: null }
  let seen: Seen | null = null
  await stage.until(async () => {
    seen = await probe(requestId, null).catch(nullIfFailed)
    return seen !== null && isMet(seen, paid)
  }, actsWithinMs)
  stage.note(`asks the application for the order: ${inWords(seen)}`, { about: requestId })
  return { accepted, seen }
}

function nullIfFailed(error: unknown): null {
  if (error instanceof ProbeFailed) return null
  throw error
}

/** The finding in the words for an application that was paid before its create call was answered, and is not
 *  afterwards; null if that is not what happened. */
async function overwritten(
  { words }: Finding,
  { accepted, seen }: Before,
  order: StagedOrder,
): Promise<Finding | null> {
  if (words.defect !== 'lost' && words.defect !== 'wrong-status') return null
  const now = await order.probe().catch(nullIfFailed)
  const isEarlier = now?.state === 'CREATED' || now?.state === 'unknown'
  const wasPaid = seen?.state === 'COMPLETED' || (seen?.effects ?? 0) > 0 || (now?.effects ?? 0) > 0
  if (!accepted || !isEarlier || !wasPaid) return null
  const before = seen === null ? '' : `, and ${inWords(seen)}`
  return new Finding({
    ...words,
    did: `What the answer brought has overwritten the webhook: before the create call was answered, it had accepted the webhook of COMPLETED${before}; afterwards ${inWords(now)}.`,
    should:
      'Let the answer of the create call add to the order, like its orderId, and change the status only of an order that is still open.',
  })
}

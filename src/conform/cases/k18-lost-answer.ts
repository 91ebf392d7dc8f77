import type { JournalEntry } from '../../index.ts'
import { releasedBy } from '../acts/held-answer.ts'
import { reportsFailure } from '../application/application.ts'
import type { Case } from '../case.ts'
import { createCalls, isKnownAlready, ordersLike, requestIdsOf } from '../evidence/service-calls.ts'
import { Finding } from '../finding.ts'
import { happy } from '../stage/scripts.ts'
import type { Stage } from '../stage/stage.ts'
import type { StagedOrder } from '../stage/staged-order.ts'
import { foundByLateWebhook, simplerFailures } from './found-before.ts'

/** A way in which the answer of a successful create call fails. */
interface Trouble {
  readonly words: string
  readonly effect: Readonly<Record<string, unknown>>
  /** When the fault of the create call ends, on the client's clock. */
  readonly endsAfter?: string
}

const lost: readonly Trouble[] = [
  { words: 'its answer breaks off', effect: { cut: true } },
  { words: 'its answer is 500', effect: { status: 500 } },
  {
    words: 'it is not answered, and the connection is closed',
    effect: { hang: '1s' },
    endsAfter: '1s',
  },
]

/** The call arrives twice, as from a proxy that retries it and passes on the second answer. */
const answeredTwice: Trouble = {
  words: 'its answer is 401 with code 7001: an order with this requestId already exists',
  effect: {
    status: 401,
    body: { error: { code: '7001', message: 'Order already exists for given requestId' } },
  },
}

/** The create call succeeds but its answer is lost. An application may also give up cleanly, if it still fulfils the
 *  order once that is paid. It named the order, so the service may take money for it. */
export const lostAnswer: Case = {
  id: 'K18',
  level: 'MUST',
  title: 'The order is created, but the answer of its create call is lost',
  happens:
    'The create call creates the order, but its answer is cut short, a 500, or missing. A repeated call is answered 401 with code 7001.',
  right:
    'No answer (cut short, a 500, a timeout) is no failure: repeat the same call, or look the order up. 7001 then means "the order already exists": no new access token, no second order. Fulfil it once it is paid.',
  why: 'A second order charges the customer twice. An application that takes the 401 of 7001 for a bad token requests tokens forever. One that forgets the order keeps the money and ships nothing.',
  explainedBy: [...simplerFailures, ...foundByLateWebhook, { cases: ['K17'], defect: 'lost' }],
  async run(stage) {
    stage.needs('start')
    let met = false
    for (const trouble of lost) met = (await play(trouble, stage)) || met
    if (!met) await play(answeredTwice, stage)
  },
}

/** Plays an order whose create call succeeds, but whose answer fails.
 *  @returns whether the application received error 7001 */
async function play(trouble: Trouble, stage: Stage): Promise<boolean> {
  const { words, effect, endsAfter } = trouble
  const earlier = await requestIdsOf(stage)
  const begun = await stage.begin({
    follows: { ...happy, answers: [{ on: 'create-order', when: 'stored', effect, times: 1 }] },
  })
  stage.note(`the create call creates the order; ${words}`)
  await begun.mustBeMade()
  if (endsAfter !== undefined) await releasedBy(endsAfter, begun.answer, stage)
  await begun.answer
  const order = await begun.order()
  await stage.advance('10s')
  const judge = async () => {
    await refuseSecondOrder(order, earlier, stage).catch(explainedBy(trouble))
    return judgeCalls(order, stage)
  }
  try {
    await order.endsPaid()
  } catch (error) {
    // The calls explain more than the state of the order, so they are judged first.
    await judge()
    return explainedBy(trouble)(error)
  }
  return judge()
}

/** Throws a finding on with the trouble that came before it. The first words say what the application got wrong.
 *  @throws the error */
const explainedBy =
  (trouble: Trouble) =>
  (error: unknown): never => {
    if (!(error instanceof Finding)) throw error
    const created = `the create call has created the order, and ${trouble.words}`
    const before =
      trouble === answeredTwice ? `T${created.slice(1)}` : `No answer, or a 500, is no failure: ${created}`
    throw new Finding({ ...error.words, did: `${before}. ${error.words.did}` })
  }

async function refuseSecondOrder(
  { requestId }: StagedOrder,
  earlier: ReadonlySet<string>,
  stage: Stage,
): Promise<void> {
  const orders = await ordersLike(requestId, earlier, stage)
  if (orders.length === 1) return
  throw new Finding({
    defect: 'second-order',
    did: `It created ${orders.length} orders for one start call: ${orders.join(' and ')}`,
    requestId,
  })
}

/** Acceptable number of create calls that are answered 7001: an application may simply try three times. */
const mostRefusals = 3

/** Whether the application has reacted to a refusal on its own, with a token request or another create call. An
 *  application that gives up at once has not understood 7001. */
async function hasActedOn(refusal: JournalEntry, { requestId }: StagedOrder, stage: Stage): Promise<boolean> {
  if ((await createCalls(requestId, stage)).length > 1) return true
  return (await stage.calls()).some(({ id, operation }) => operation === 'access-token' && id > refusal.id)
}

/** Checks how the application has reacted to error 7001.
 *  @returns whether it received that error */
async function judgeCalls(order: StagedOrder, stage: Stage): Promise<boolean> {
  const { requestId } = order
  const refusals = (await createCalls(requestId, stage)).filter(isKnownAlready)
  const [first, last] = [refusals.at(0), refusals.at(-1)]
  if (first === undefined || last === undefined) return false
  const tokens = (await stage.calls()).filter(
    ({ id, operation }) => operation === 'access-token' && id > first.id && id < last.id,
  )
  if (tokens.length > 0 || refusals.length > mostRefusals)
    throw new Finding({
      defect: 'endless',
      did: `It received 401 with code 7001, ${tokens.length > 0 ? 'got a new access token, and' : 'and'} sent the same create call again: ${refusals.length} calls got this answer`,
      requestId,
    })
  if (!reportsFailure(order.answer)) return true
  if (!(await hasActedOn(first, order, stage)))
    stage.remark(
      `It showed its customer no order (${order.answerText}), although 401 with code 7001 says that the order exists. It fulfilled the order once it was paid.`,
    )
  else
    throw new Finding({
      defect: 'server-error',
      did: `It received 401 with code 7001, which says that the order exists, and showed its customer a failure: ${order.answerText}`,
      requestId,
    })
  return true
}

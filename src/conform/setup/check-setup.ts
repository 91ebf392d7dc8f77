import type { TestEmulator } from '../../index.ts'
import { functionCall, ProbeFailed, type Seen } from '../application/application.ts'
import type { OrderState } from '../config/config.ts'
import { tokenRanOut } from '../evidence/service-calls.ts'
import { Finding, NotSeen, WrongConfiguration } from '../finding.ts'
import type { ConfigurationProblem } from '../report.ts'
import type { Setting } from '../stage/case-context.ts'
import { failing } from '../stage/scripts.ts'
import { Stage } from '../stage/stage.ts'
import type { StagedOrder } from '../stage/staged-order.ts'
import { type HeardCalls, listening, startProblem, unnamedOrder } from './start-problem.ts'
import { timeProblem, webhookProblem } from './webhook-problem.ts'

/** Plays one order that is paid and one that fails, and only checks whether everything can be reached and read. The
 *  cases judge the application.
 *  @returns all problems of the configuration */
export async function checkSetup(setting: Setting, emulator: TestEmulator): Promise<ConfigurationProblem[]> {
  const stage = await Stage.open('K00', setting)
  try {
    const ofOrders = await problemsIn(() => problemsOfOrders(stage, setting, emulator))
    // If it cannot create an order, it cannot create a subscription either.
    const canCreate = ofOrders.every(({ member }) => !/^(start$|start\.url|client)/.test(member))
    return distinct([
      ...(setting.app.webhookUrl === null ? [noWebhookUrl] : []),
      ...ofOrders,
      ...(canCreate ? await problemsIn(() => problemsOfSubscriptions(stage, emulator)) : []),
      ...(await thrownBy(async () => setting.app.reconcile?.())),
    ])
  } finally {
    await stage.close()
  }
}

const noWebhookUrl: ConfigurationProblem = {
  member: 'webhookUrl',
  message:
    'the configuration has no `webhookUrl`, and the client has no registered URL; set the URL where your application receives webhooks',
}

async function problemsOfOrders(
  stage: Stage,
  setting: Setting,
  emulator: TestEmulator,
): Promise<ConfigurationProblem[]> {
  const heard = await listening(emulator)
  const { order, answer } = await stage.begin()
  const begun = await order(stage.app.patienceMs)
  if (begun.orderId !== null)
    return [...(await unnamedOrder('start', await answer, begun)), ...(await problemsOfLife(begun, stage))]
  // K30 reports an application that does not renew its access token.
  if (tokenRanOut(await stage.calls())) return []
  return [await startProblem('start', await answer, stage, heard), ...(await problemsWithoutStart(setting))]
}

/** Finds problems of the configuration with an order that is paid, and with another that fails. */
async function problemsOfLife(order: StagedOrder, stage: Stage): Promise<ConfigurationProblem[]> {
  await stage.settle()
  const fresh = await lookAt(order, 'CREATED', stage)
  const time = await thrownBy(() => stage.advance('10s'))
  // Every further probe would fail for the same reason.
  if (fresh.problems.length > 0 && fresh.seen === null)
    return [...(await webhooksOf([order], stage)), ...fresh.problems, ...time]
  const paid = await lookAt(order, 'COMPLETED', stage)
  const lost = paid.seen?.state === 'unknown' && order.ofApplication ? [unknownOrder(order.requestId)] : []
  const occasions = 1 + (await order.deliveries()).length + (await order.calls()).length
  const { order: beginNext } = await stage.begin({ follows: failing('9004') })
  const next = await beginNext(stage.app.patienceMs)
  if (next.orderId === null) return [...fresh.problems, ...time, ...paid.problems, ...lost]
  const begun = await lookAt(next, 'CREATED', stage)
  await thrownBy(() => stage.advance('10s'))
  const failed = await lookAt(next, 'FAILED', stage)
  const signedTime = time.length > 0 ? null : await timeProblem([order, next], stage)
  const count = countProblem({
    fresh: fresh.seen?.effects ?? null,
    paid: paid.seen?.effects ?? null,
    occasions,
    next: begun.seen?.effects ?? null,
  })
  return [
    ...(await webhooksOf([order, next], stage, paid.seen?.state === 'COMPLETED')),
    ...fresh.problems,
    ...time,
    ...(signedTime === null ? [] : [signedTime]),
    ...lost,
    // An application that notices no change returns the same text, which then does not have that meaning.
    ...[paid, failed].flatMap(({ seen, problems }) =>
      seen?.word === fresh.seen?.word ? [] : problems.filter(({ member }) => isWord(member)),
    ),
    ...(count === null ? [] : [count]),
  ]
}

/** Whether a problem is about a status text. Other problems of later probes are left to the cases, because the first
 *  probe worked. */
const isWord = (member: string): boolean => member.startsWith('probe.statuses')

async function webhooksOf(
  orders: readonly StagedOrder[],
  stage: Stage,
  paid = false,
): Promise<ConfigurationProblem[]> {
  const deliveries = await Promise.all(orders.map((order) => order.deliveries()))
  const known = orders.every(({ ofApplication }) => ofApplication)
  const problem = await webhookProblem(deliveries.flat(), stage.app, { known, paid })
  return problem === null ? [] : [problem]
}

/** Finds problems of webhooks and probe with an order made at the service, if the application creates none. */
async function problemsWithoutStart(setting: Setting): Promise<ConfigurationProblem[]> {
  const stage = await Stage.open('K00', { ...setting, app: { ...setting.app, start: null } })
  try {
    const order = await stage.order()
    await stage.settle()
    return [...(await webhooksOf([order], stage)), ...(await unreachableProbe(order.requestId, stage))]
  } finally {
    await stage.close()
  }
}

/** Checks that the probe answers at all, for an order that the application has not created. */
async function unreachableProbe(requestId: string, { app }: Stage): Promise<ConfigurationProblem[]> {
  try {
    if (!app.probesById) await app.probe?.(requestId, null)
  } catch (error) {
    if (error instanceof ProbeFailed && error.status === null) return [failureOf(error)]
    if (!(error instanceof ProbeFailed) && !(error instanceof WrongConfiguration)) throw error
  }
  return []
}

async function problemsOfSubscriptions(
  stage: Stage,
  emulator: TestEmulator,
): Promise<ConfigurationProblem[]> {
  if (stage.app.startSubscription === null) return []
  const heard: HeardCalls = await listening(emulator)
  const { order, answer } = await stage.begin({ kind: 'subscription' })
  const begun = await order(stage.app.patienceMs)
  if (tokenRanOut(await stage.calls())) return []
  return begun.orderId === null
    ? [await startProblem('startSubscription', await answer, stage, heard)]
    : unnamedOrder('startSubscription', await answer, begun)
}

const thrownBy = (act: () => Promise<unknown>): Promise<ConfigurationProblem[]> =>
  problemsIn(async () => {
    await act()
    return []
  })

/** The problems that `find` returns or throws. Errors of the application are left to the cases. */
async function problemsIn(find: () => Promise<ConfigurationProblem[]>): Promise<ConfigurationProblem[]> {
  try {
    return await find()
  } catch (error) {
    if (error instanceof WrongConfiguration) return [error.problem]
    if (error instanceof Finding || error instanceof NotSeen) return []
    throw error
  }
}

function distinct(problems: readonly ConfigurationProblem[]): ConfigurationProblem[] {
  const seen = new Map(problems.map((problem) => [`${problem.member}\n${problem.message}`, problem]))
  return [...seen.values()]
}

/** The result of probing an order. */
interface Looked {
  readonly seen: Seen | null
  readonly problems: readonly ConfigurationProblem[]
}

/** Probes an order whose state is known, after a short wait. Only the form of the answer is checked: whether the
 *  state is right is left for the cases. */
async function lookAt(order: StagedOrder, is: OrderState, stage: Stage): Promise<Looked> {
  let seen: Seen | null = null
  let failed: ProbeFailed | null = null
  try {
    await stage.until(async () => {
      try {
        seen = await order.probe()
        failed = null
        return seen === null || seen.state === is
      } catch (error) {
        if (!(error instanceof ProbeFailed)) throw error
        failed = error
        return false
      }
    }, stage.app.settleMs)
  } catch (error) {
    if (!(error instanceof WrongConfiguration)) throw error
    return { seen: null, problems: [error.problem] }
  }
  return { seen, problems: problemsOf(failed, seen, is) }
}

function problemsOf(failed: ProbeFailed | null, seen: Seen | null, is: OrderState): ConfigurationProblem[] {
  if (failed !== null) return [failureOf(failed)]
  if (seen?.state !== 'other') return []
  const word = JSON.stringify(seen.word)
  return [
    {
      member: `probe.statuses.${is}`,
      message: `your application returns the status ${word} for an order that is ${is}, and ${word} is listed under no status; add it here`,
    },
  ]
}

function failureOf({ message, status }: ProbeFailed): ConfigurationProblem {
  if (message.startsWith(functionCall)) return { member: 'probe', message }
  if (status === null)
    return { member: 'probe.url', message: `${message}; is your application running there?` }
  if (status === 401 || status === 403)
    return {
      member: 'probe.headers',
      message: `${message}; add the credentials that the call needs to \`probe.headers\``,
    }
  return {
    member: 'probe.url',
    message: `${message}; expected 2xx, or 404 for an unknown order`,
  }
}

function unknownOrder(requestId: string): ConfigurationProblem {
  return {
    member: 'probe.url',
    message: `your application answers 404 for the order ${requestId}, which it created and which was paid; does the probe have the right URL, and does your application know the order by its requestId? If it uses an id of its own, set \`start.id\` and use {id} in the probe`,
  }
}

/** The problem with the count of fulfilments, if any.
 *  @param counts of a new and a paid order, and of the next new one; `occasions` is how often the application could
 *    have counted */
function countProblem(counts: {
  readonly fresh: number | null
  readonly paid: number | null
  readonly occasions: number
  readonly next: number | null
}): ConfigurationProblem | null {
  const { fresh, paid, occasions, next } = counts
  if (fresh === null || paid === null) return null
  const carried = fresh > occasions ? fresh : fresh === 0 && paid > 0 && next === paid ? next : null
  if (carried !== null)
    return {
      member: 'probe.effects',
      message: `a new order begins with the count ${carried}, before its first webhook; expected the count of that one order, not of all orders`,
    }
  if (paid > occasions || !Number.isInteger(paid))
    return {
      member: 'probe.perEffect',
      message: `the count of one paid order, divided by \`perEffect\`, is ${paid} instead of 1; if one payment adds that much, set \`perEffect\` to match`,
    }
  return null
}

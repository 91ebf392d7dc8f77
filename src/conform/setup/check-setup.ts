import type { TestEmulator } from '../../index.ts'
import { ProbeFailed } from '../application/application.ts'
import { tokenRanOut } from '../evidence/tokens.ts'
import { Finding, NotSeen, WrongConfiguration } from '../finding.ts'
import type { ConfigurationProblem } from '../report.ts'
import { failing } from '../stage/scripts.ts'
import type { Setting } from '../stage/setting.ts'
import { Stage } from '../stage/stage.ts'
import type { StagedOrder } from '../stage/staged-order.ts'
import { countProblem, failureOf, lookAt, unknownOrder } from './probe-problems.ts'
import { type Heard, listening, startProblem, unnamedOrder } from './start-problem.ts'
import { timeProblem } from './time-problem.ts'
import { webhookProblem } from './webhook-problem.ts'

/** Plays one order that is paid and one that fails, and looks only whether everything can be reached and read. What
 *  the application makes of them is for the cases to judge.
 *  @returns everything that is wrong with the configuration */
export async function checkSetup(setting: Setting, emulator: TestEmulator): Promise<ConfigurationProblem[]> {
  const stage = await Stage.open('K00', setting)
  try {
    const ofOrders = await problemsIn(() => problemsOfOrders(stage, setting, emulator))
    // What keeps it from creating an order keeps it from creating a subscription.
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
  // That it gets no other is for K30 to find.
  if (tokenRanOut(await stage.calls())) return []
  return [await startProblem('start', await answer, stage, heard), ...(await problemsWithoutStart(setting))]
}

/** From its creation on until it is paid; then another, until it has failed. */
async function problemsOfLife(order: StagedOrder, stage: Stage): Promise<ConfigurationProblem[]> {
  await stage.settle()
  const fresh = await lookAt(order, 'CREATED', stage)
  const time = await thrownBy(() => stage.advance('10s'))
  // What the first look has met, others would meet as well.
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
    // An application that sees no change says the same as before, and that is not what the word means.
    ...[paid, failed].flatMap(({ seen, problems }) =>
      seen?.word === fresh.seen?.word ? [] : problems.filter(({ member }) => isWord(member)),
    ),
    ...(count === null ? [] : [count]),
  ]
}

/** A probe that fails later on is a matter of the cases: it did not fail at first. */
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

/** The application makes no order, but what else is wrong can be found with one that is made at the service. */
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

/** Whatever it says of an order that it has not created: it must be there. */
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
  const heard: Heard = await listening(emulator)
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

/** Problems that were found, or the one that was thrown. What the application does wrong is for the cases to find. */
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

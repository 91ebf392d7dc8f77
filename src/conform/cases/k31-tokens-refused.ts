import type { JournalEntry } from '../../index.ts'
import type { Case } from '../case.ts'
import { asksForTokens, isForToken } from '../evidence/service-calls.ts'
import { Finding, NotSeen } from '../finding.ts'
import type { Script } from '../stage/scripts.ts'
import type { Stage } from '../stage/stage.ts'
import type { StagedOrder } from '../stage/staged-order.ts'
import { foundByLateWebhook, foundInNormalLife } from './found-before.ts'

const paidAfterwards: Script = {
  timeline: [
    { at: '150s', pay: 'completed' },
    { at: '3m', order: 'COMPLETED' },
  ],
}

/** How long calls are counted, before and during the fault. */
const windowMs = 1_000
/** How often one and the same call may be made: a few attempts, and four for each time that it is usually made
 *  (refused, new token, and both once more). */
const attempts = 20
const perUsualCall = 6
/** The number of calls that can be counted: the request log stores the newest 500 entries. */
const countable = 400

export const tokensRefused: Case = {
  id: 'K31',
  level: 'MUST',
  wholeClient: true,
  title: 'Every access token is rejected for two minutes',
  happens:
    'For two minutes every call is answered 401, even with a new access token. Then calls succeed again.',
  right: 'Try a new token a few times, then wait before you try again; continue when calls succeed again.',
  why: 'A loop of rejected calls and new tokens prolongs a short outage, and can get you locked out.',
  // The service retries webhooks that the application refuses while its calls fail.
  explainedBy: [...foundInNormalLife, ...foundByLateWebhook],
  async run(stage) {
    stage.needs('start')
    const order = await stage.order({ follows: paidAfterwards })
    await order.isUnpaidBefore()
    const usual = await callsMeanwhile(stage, () => giveOccasions(order, stage))
    await stage.plan({
      on: ['create-order', 'orders', 'crypto-orders', 'fiat-refunds'],
      when: 'unchecked',
      effect: { status: 401, body: { error: 'Client verification failed' } },
      for: '2m',
    })
    stage.note('every access token is rejected from now on')
    const refused = await callsMeanwhile(stage, () => giveOccasions(order, stage))
    await needsTokens(stage)
    refuseLoop(refused, usual, order)
    await recovers(order, stage)
  },
}

async function callsMeanwhile(stage: Stage, act: () => Promise<void>): Promise<JournalEntry[]> {
  const known = new Set((await stage.calls()).map(({ id }) => id))
  await act()
  return (await stage.calls()).filter(({ id }) => !known.has(id))
}

/** Makes the application call the service, by a repeated webhook, its own job, or else a new order. Before and during
 *  the fault this is done in the same way. */
async function giveOccasions(order: StagedOrder, stage: Stage): Promise<void> {
  const [created] = await order.deliveries('CREATED')
  const before = (await stage.calls()).length
  let over = false
  const reconciled = stage.reconcile().finally(() => {
    over = true
  })
  // Prevents an unhandled rejection until the call is awaited below.
  reconciled.catch(() => undefined)
  if (created !== undefined) await stage.resend(created)
  const called = await stage.until(async () => (await stage.calls()).length > before, windowMs / 3)
  if (!called) void stage.begin().catch(() => undefined)
  await stage.pause(windowMs)
  // Not a race with a pause, whose timer would keep the process alive after the run.
  if (await stage.until(async () => over)) await reconciled
}

async function needsTokens({ client }: Stage): Promise<void> {
  if (!(await asksForTokens(client)))
    throw new NotSeen('your application never requested an access token, so it has none to replace')
}

/** Checks that no call was repeated in a loop. An application with many orders makes many calls, one for each.
 *  @throws Finding */
function refuseLoop(
  refused: readonly JournalEntry[],
  usual: readonly JournalEntry[],
  order: StagedOrder,
): void {
  const [tokens, calls] = [refused.filter(isForToken), refused.filter((call) => !isForToken(call))]
  const before = mostRepeated(usual)
  const most = mostRepeated(calls)
  const allowed = Math.min(attempts + perUsualCall * before.count, countable)
  if (most.count <= allowed && tokens.length <= attempts + most.of) return
  throw new Finding({
    defect: 'endless',
    did: `While its tokens were rejected it made ${refused.length} calls in ${secondsOf(refused)} s: ${tokens.length} for another token, and one and the same call ${most.count} times. Before, it made none more than ${before.count} times.`,
    requestId: order.requestId,
  })
}

/** How often the most frequent call was made, and of how many different ones. */
function mostRepeated(calls: readonly JournalEntry[]): { readonly count: number; readonly of: number } {
  const same = Map.groupBy(calls, ({ method, path, requestId }) => `${method} ${path} ${requestId}`)
  return { count: Math.max(0, ...[...same.values()].map(({ length }) => length)), of: same.size }
}

/** The time from the first to the last call, in words. */
function secondsOf(calls: readonly JournalEntry[]): string {
  const times = calls.map(({ wallAt }) => wallAt)
  return ((Math.max(...times) - Math.min(...times)) / 1_000).toFixed(1)
}

/** Waits until the application works again. An application that pauses for longer than the check waits is careful,
 *  not wrong. */
async function recovers(order: StagedOrder, stage: Stage): Promise<void> {
  await stage.advance('2m')
  if (!(await callsWellAgain(order, stage)))
    throw new NotSeen(
      'whether it recovers: it made few calls while its tokens were rejected, but none afterwards. Raise `patience` to wait longer',
    )
  await stage.advance('2m')
  await order.endsPaid()
}

/** Gives the application opportunities to call, until a call succeeds. */
async function callsWellAgain(order: StagedOrder, stage: Stage): Promise<boolean> {
  const known = new Set((await stage.calls()).map(({ id }) => id))
  const [created] = await order.deliveries('CREATED')
  const { settleMs } = stage.app
  return stage.until(async () => {
    if (created !== undefined) await stage.resend(created)
    await stage.reconcile()
    await stage.pause(settleMs)
    return (await stage.calls()).some(
      ({ id, operation, status }) => !known.has(id) && operation !== 'access-token' && status === 200,
    )
  }, stage.longestMs)
}

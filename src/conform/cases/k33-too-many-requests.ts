import type { JournalEntry } from '../../index.ts'
import { stopwatch } from '../../time/wall.ts'
import { together } from '../acts/until-paid.ts'
import type { Case } from '../case.ts'
import { isAlike, isCreate } from '../evidence/service-calls.ts'
import { Finding, NotSeen } from '../finding.ts'
import type { Stage } from '../stage/stage.ts'
import type { StagedOrder } from '../stage/staged-order.ts'
import { foundInNormalLife } from './found-before.ts'

const retryAfter = 2
/** Rounding error of the request log, milliseconds: a later call may seem this much earlier. */
const roundedMs = 1
/** How long after a 429, milliseconds, a call of another path may arrive that was sent before. */
const onTheirWayMs = 2
/** Maximum number of tries. On a busy machine a poller's lookup may by coincidence arrive right after the 429; an
 *  application that ignores the pause repeats it each time. */
const playsAtMost = 3
/** Tolerance at the end of the requested pause, milliseconds. */
const earlyMs = 100

/** The maximum duration of a call of the application, in milliseconds. */
const longestCallMs = 10_000

const untilTakenBack = { effect: { status: 429, retryAfter }, times: null, for: '1h' } as const

export const tooManyRequests: Case = {
  id: 'K33',
  level: 'SHOULD',
  title: '429 with Retry-After',
  happens: `A create call, and later a lookup, is answered 429 with \`Retry-After: ${retryAfter}\`.`,
  right: `Repeat that call after ${retryAfter} seconds at the earliest; or, for a create call, tell the customer that it failed.`,
  why: 'An application that repeats the call immediately is blocked for longer, and so are its other orders.',
  // The service retries webhooks that the application refuses while its calls fail.
  explainedBy: [...foundInNormalLife, { cases: ['K08', 'K09', 'K10', 'K11', 'K12'], defect: 'doubled' }],
  async run(stage) {
    stage.needs('start')
    for (let play = 1; ; play++) {
      const order = await stage.order()
      await order.isUnpaidBefore()
      await stage.settle()
      const found = await onLookup(order, stage, play === 1 ? onCreate : nothing)
      if (found === null) return order.endsPaid()
      if (play === playsAtMost) throw found
      stage.note('repeats this step, since that lookup may already have been sent')
      await stage.pause(retryAfter * 1_000)
    }
  },
}

/** Checks that a lookup that was answered 429 is not repeated too early. Lookups come first: an application that
 *  stops all its calls makes no create call either, which is right.
 *  @param meanwhile an act during the watch, which can ask whether the watch is nearly over
 *  @returns the error of the application, if any
 *  @throws NotSeen if it looked nothing up */
async function onLookup(
  order: StagedOrder,
  stage: Stage,
  meanwhile: (stage: Stage, isNearlyOver: () => boolean) => Promise<void>,
): Promise<Finding | null> {
  const isLookup = ({ operation, requestId }: JournalEntry) =>
    requestId === order.requestId && (operation === 'orders' || operation === 'crypto-orders')
  const where = { requestId: order.requestId }
  const fault = await stage.plan({ on: ['orders', 'crypto-orders'], where, ...untilTakenBack })
  // Not awaited: the application may hold the webhook until it has looked the order up again.
  const advanced = stage.advance('5s')
  // Prevents an unhandled rejection until the clock call is awaited below.
  advanced.catch(() => undefined)
  try {
    const refused = await refusedBefore(advanced, stage, isLookup)
    let found: Finding | null = null
    const watch = async () => {
      if (refused === undefined) return
      found = await repeatAfter(refused, stage, isLookup, order)
      await endPause(fault, stage)
    }
    const since = stopwatch()
    const isNearlyOver = () => stopwatch() - since > retryAfter * 750
    await together([watch, () => meanwhile(stage, isNearlyOver)], (half) => half())
    if (refused !== undefined) return found
  } finally {
    await stage.unplan(fault)
    await advanced
  }
  throw new NotSeen(
    'whether it waits before it repeats a lookup: it made none (before a repeated create call it waits correctly)',
  )
}

const nothing = async () => undefined

/** Checks that a create call that was answered 429 is not repeated too early. An application that pauses all its calls
 *  makes none during the watch of the lookup, which is right. */
async function onCreate(stage: Stage, isNearlyOver: () => boolean): Promise<void> {
  const fault = await stage.plan({ on: 'create-order', ...untilTakenBack })
  const { order, answer } = await stage.begin()
  const refused = await refusedBefore(answer, stage, isCreate, isNearlyOver)
  // While an order is created, the application makes no second create call.
  const found = refused === undefined ? null : await repeatAfter(refused, stage, isCreate)
  if (found !== null) throw found
  await endPause(fault, stage)
  await order()
}

/** Lets calls succeed again, and waits until the requested pause is certainly over. */
async function endPause(fault: string, stage: Stage): Promise<void> {
  await stage.unplan(fault)
  await stage.pause(3 * earlyMs)
}

/** Waits for a call that is answered 429: until `end` settles, however long that takes on a busy machine, and then
 *  for `patience`.
 *  @param isNearlyOver ends the wait early */
async function refusedBefore(
  end: Promise<unknown>,
  stage: Stage,
  concerned: (call: JournalEntry) => boolean,
  isNearlyOver = () => false,
): Promise<JournalEntry | undefined> {
  let refused: JournalEntry | undefined
  const look = async () => {
    refused = (await stage.calls()).find((call) => concerned(call) && call.status === 429)
    return refused !== undefined
  }
  let ended = false
  const over = () => {
    ended = true
  }
  void end.then(over, over)
  await stage.until(async () => (await look()) || ended || isNearlyOver(), longestCallMs)
  await stage.until(async () => (await look()) || isNearlyOver())
  return refused
}

/** The arrival time of a call, whose log entry has the time of the answer. */
const arrived = ({ wallAt, ms }: JournalEntry): number => wallAt - ms

/** Watches the application for the requested pause.
 *  @returns the finding if it repeats the call too early; null if it waits */
async function repeatAfter(
  refused: JournalEntry,
  stage: Stage,
  concerned: (call: JournalEntry) => boolean,
  order?: StagedOrder,
): Promise<Finding | null> {
  const from = refused.wallAt
  const until = from + retryAfter * 1_000 - earlyMs
  const isRepeat = (call: JournalEntry) =>
    concerned(call) &&
    call.id !== refused.id &&
    (call.requestId === refused.requestId || (isCreate(call) && isAlike(call, refused))) &&
    arrived(call) >= (call.path === refused.path ? from - roundedMs : from + onTheirWayMs) &&
    arrived(call) < until
  let again: JournalEntry | undefined
  await stage.until(
    async () => {
      const advanced = (await order?.deliveries('COMPLETED')) ?? []
      const webhooks = advanced.flatMap(({ attempts }) => attempts.map(({ wallAt }) => wallAt))
      // A call of the application after a webhook is no retry of the refused call.
      const becauseTold = (call: JournalEntry) =>
        webhooks.some(
          (at) => at > refused.wallAt && arrived(call) >= at && arrived(call) < at + stage.app.settleMs,
        )
      again = (await stage.calls()).find((call) => isRepeat(call) && !becauseTold(call))
      return again !== undefined
    },
    retryAfter * 1_000 - earlyMs,
  )
  if (again === undefined) return null
  return new Finding({
    defect: 'impatient',
    did: `It was asked to wait ${retryAfter} s and sent \`${again.method} ${again.path.split('?')[0]}\` again after ${Math.max(0, arrived(again) - from)} ms.`,
    requestId: refused.requestId ?? undefined,
  })
}

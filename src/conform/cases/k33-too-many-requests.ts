import type { JournalEntry } from '../../index.ts'
import { together } from '../acts/until-paid.ts'
import type { Case } from '../case.ts'
import { isAlike, isCreate } from '../evidence/service-calls.ts'
import { Finding, NotSeen } from '../finding.ts'
import type { Stage } from '../stage/stage.ts'
import type { StagedOrder } from '../stage/staged-order.ts'
import { foundInNormalLife } from './found-before.ts'

const retryAfter = 2
/** The request log has whole milliseconds, so a later call may seem this much earlier. */
const roundedMs = 1
/** A call of another path may have been sent up to this long after the first was answered. */
const onTheirWayMs = 2
/** A poller may look an order up while its webhook is processed, and on a busy machine the second lookup may be read
 *  late. That happens occasionally; an application that ignores the pause does it each time. */
const playsAtMost = 3
/** How much too early the application may call. */
const earlyMs = 100

/** A call has ended after this time. */
const longestCallMs = 10_000

const untilTakenBack = { effect: { status: 429, retryAfter }, times: null, for: '1h' } as const

/** The service answers 429 with `Retry-After`: the application must wait. */
export const tooManyRequests: Case = {
  id: 'K33',
  level: 'SHOULD',
  title: '429 with Retry-After',
  happens: `A create call, and later a lookup, is answered 429 with \`Retry-After: ${retryAfter}\`.`,
  right: `Repeat that call after ${retryAfter} seconds at the earliest; or, for a create call, tell the customer that it failed.`,
  why: 'An application that repeats the call immediately is blocked for longer, and so are its other orders.',
  // Webhooks that it refuses meanwhile are sent again.
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

/** Tests lookups first: an application that stops all its calls makes no create call meanwhile, which is right.
 *  @param meanwhile an act during the watch
 *  @returns what it did wrong, if anything
 *  @throws NotSeen if it looked nothing up */
async function onLookup(
  order: StagedOrder,
  stage: Stage,
  meanwhile: (stage: Stage) => Promise<void>,
): Promise<Finding | null> {
  const isLookup = ({ operation, requestId }: JournalEntry) =>
    requestId === order.requestId && (operation === 'orders' || operation === 'crypto-orders')
  const where = { requestId: order.requestId }
  const fault = await stage.plan({ on: ['orders', 'crypto-orders'], where, ...untilTakenBack })
  // Not awaited: the application may hold the webhook until it has looked the order up again.
  const advanced = stage.advance('5s')
  // The result is checked only at the end.
  advanced.catch(() => undefined)
  try {
    const refused = await refusedBefore(advanced, stage, isLookup)
    let found: Finding | null = null
    const watch = async () => {
      found = refused === undefined ? null : await repeatAfter(refused, stage, isLookup, order)
    }
    await together([watch, () => meanwhile(stage)], (half) => half())
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

async function onCreate(stage: Stage): Promise<void> {
  const fault = await stage.plan({ on: 'create-order', ...untilTakenBack })
  const { order, answer } = await stage.begin()
  const refused = await refusedBefore(answer, stage, isCreate)
  // A purchase has only one create call at a time.
  const found = refused === undefined ? null : await repeatAfter(refused, stage, isCreate)
  if (found !== null) throw found
  await stage.unplan(fault)
  await order()
}

/** Waits for the call that was answered 429: until the act has ended, however long that takes on a busy machine, and
 *  then for `patience`. */
async function refusedBefore(
  end: Promise<unknown>,
  stage: Stage,
  concerned: (call: JournalEntry) => boolean,
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
  await stage.until(async () => (await look()) || ended, longestCallMs)
  await stage.until(look)
  return refused
}

/** When a call arrived: its entry is written when it is answered. */
const arrived = ({ wallAt, ms }: JournalEntry): number => wallAt - ms

/** Watches for the requested pause, without a reason to call.
 *  @returns what it did wrong; null if it waited */
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
      // A call that a webhook has caused is not a retry.
      const becauseTold = (call: JournalEntry) =>
        webhooks.some(
          (at) => at > refused.wallAt && arrived(call) >= at && arrived(call) < at + stage.app.settleMs,
        )
      again = (await stage.calls()).find((call) => isRepeat(call) && !becauseTold(call))
      return again !== undefined
    },
    retryAfter * 1_000 - earlyMs,
  )
  // Wait until the pause is certainly over: a new call is allowed only then.
  if (again === undefined) {
    await stage.pause(3 * earlyMs)
    return null
  }
  return new Finding({
    defect: 'impatient',
    did: `It was asked to wait ${retryAfter} s and sent \`${again.method} ${again.path.split('?')[0]}\` again after ${Math.max(0, arrived(again) - from)} ms.`,
    requestId: refused.requestId ?? undefined,
  })
}

import type { JournalEntry } from '../../index.ts'
import { together } from '../acts/until-paid.ts'
import type { Case } from '../case.ts'
import { isAlike, isCreate } from '../evidence/service-calls.ts'
import { Finding, NotSeen } from '../finding.ts'
import type { Stage } from '../stage/stage.ts'
import type { StagedOrder } from '../stage/staged-order.ts'
import { foundInNormalLife } from './found-before.ts'

const retryAfter = 2
/** The journal has whole milliseconds: so much earlier than the answer what came after it seems to have come. */
const roundedMs = 1
/** So much later a call of another path may have been on its way already when the first was answered. */
const onTheirWayMs = 2
/** A poller asks for an order while its webhook is worked on, and a busy machine takes the second lookup from the wire
 *  when the first was answered long ago. That happens now and then; who is impatient is so each time. */
const playsAtMost = 3
/** So much earlier than it was asked to an application may think that the time is over. */
const earlyMs = 100

/** A call that was begun has ended by then. */
const longestCallMs = 10_000

const untilTakenBack = { effect: { status: 429, retryAfter }, times: null, for: '1h' } as const

/** A service that asks for a pause. */
export const tooManyRequests: Case = {
  id: 'K33',
  level: 'SHOULD',
  title: '429 with Retry-After',
  happens: `A create call, and later a lookup, is answered 429 with \`Retry-After: ${retryAfter}\`.`,
  right: `Repeat that call after ${retryAfter} seconds at the earliest; or, for a create call, tell the customer that it failed.`,
  why: 'An application that repeats the call immediately is blocked for longer, and so are its other orders.',
  // Webhooks that it refuses meanwhile come again.
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

/** The lookup comes first: one that keeps still with all its calls makes no create call meanwhile, which is right.
 *  @param meanwhile what is done while it is watched
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
  // Not waited for: it may keep the webhook until it has asked again.
  const told = stage.advance('5s')
  // How that has ended is asked for at the end only.
  told.catch(() => undefined)
  try {
    const refused = await refusedBefore(told, stage, isLookup)
    let found: Finding | null = null
    const watch = async () => {
      found = refused === undefined ? null : await repeatAfter(refused, stage, isLookup, order)
    }
    await together([watch, () => meanwhile(stage)], (half) => half())
    if (refused !== undefined) return found
  } finally {
    await stage.unplan(fault)
    await told
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
  // No two create calls of one purchase are under way at once.
  const found = refused === undefined ? null : await repeatAfter(refused, stage, isCreate)
  if (found !== null) throw found
  await stage.unplan(fault)
  await order()
}

/** The call that was answered 429: until something has ended, however long that takes on a busy machine, and for as long
 *  as patience lasts after it. */
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

/** An entry is made when its call is answered. */
const arrived = ({ wallAt, ms }: JournalEntry): number => wallAt - ms

/** Watches for as long as it was asked to wait, with nothing that would make it call.
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
      const told = (await order?.deliveries('COMPLETED')) ?? []
      const webhooks = told.flatMap(({ attempts }) => attempts.map(({ wallAt }) => wallAt))
      // What it asks because it was told something in between is not asked by itself.
      const becauseTold = (call: JournalEntry) =>
        webhooks.some(
          (at) => at > refused.wallAt && arrived(call) >= at && arrived(call) < at + stage.app.settleMs,
        )
      again = (await stage.calls()).find((call) => isRepeat(call) && !becauseTold(call))
      return again !== undefined
    },
    retryAfter * 1_000 - earlyMs,
  )
  // Until the time is over for good: only then may it ask again.
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

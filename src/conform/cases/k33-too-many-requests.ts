import type { JournalEntry } from '../../index.ts'
import type { Case } from '../case.ts'
import { Finding, NotSeen } from '../finding.ts'
import type { Stage } from '../stage.ts'
import type { StagedOrder } from '../staged-order.ts'
import { foundInNormalLife } from './found-before.ts'

const retryAfter = 2
/** Calls that were on their way when the first was answered. */
const atOnceMs = 2
/** So much earlier than it was asked to an application may think that the time is over. */
const earlyMs = 100

const untilTakenBack = { effect: { status: 429, retryAfter }, times: null, for: '1h' } as const

/** A service that asks for a pause. */
export const tooManyRequests: Case = {
  id: 'K33',
  level: 'SHOULD',
  title: '429 with Retry-After',
  happens: `A create call, and later a lookup, is answered 429 with \`Retry-After: ${retryAfter}\`.`,
  right: `Send that call again after ${retryAfter} seconds at the earliest; or, for a create call, tell the customer that it did not work.`,
  why: 'Whoever asks again at once is kept out for longer, with all other orders.',
  // Webhooks that it refuses meanwhile come again.
  explainedBy: [...foundInNormalLife, { cases: ['K08', 'K09', 'K10', 'K11', 'K12'], defect: 'doubled' }],
  async run(stage) {
    stage.needs('start')
    await onCreate(stage)
    if (!(await onLookup(stage)))
      throw new NotSeen(
        'it waits well before it repeats a create call, but looked nothing up, so nothing is known of lookups',
      )
  },
}

async function onCreate(stage: Stage): Promise<void> {
  const fault = await stage.plan({ on: 'create-order', ...untilTakenBack })
  const { order } = await stage.begin()
  await stage.until(async () => (await refusedOf(stage, isCreate)) !== undefined)
  await waitsAfter(stage, isCreate)
  await stage.unplan(fault)
  await order()
}

/** @returns whether it looked up */
async function onLookup(stage: Stage): Promise<boolean> {
  const order = await stage.order()
  await order.isUnpaidBefore()
  await stage.settle()
  const isLookup = ({ operation, requestId }: JournalEntry) =>
    requestId === order.requestId && (operation === 'orders' || operation === 'crypto-orders')
  const where = { requestId: order.requestId }
  const fault = await stage.plan({ on: ['orders', 'crypto-orders'], where, ...untilTakenBack })
  // Not waited for: it may keep the webhook until it has asked again.
  const told = stage.advance('5s')
  try {
    if (!(await stage.until(async () => (await refusedOf(stage, isLookup)) !== undefined))) return false
    await waitsAfter(stage, isLookup, order)
  } finally {
    await stage.unplan(fault)
    await told
  }
  await order.endsPaid()
  return true
}

const isCreate = ({ operation }: JournalEntry): boolean => operation?.startsWith('create-') ?? false

async function refusedOf(
  stage: Stage,
  concerned: (call: JournalEntry) => boolean,
): Promise<JournalEntry | undefined> {
  return (await stage.calls()).find((call) => concerned(call) && call.status === 429)
}

/** Watches for as long as it was asked to wait, with nothing that would make it call. @throws Finding */
async function waitsAfter(
  stage: Stage,
  concerned: (call: JournalEntry) => boolean,
  order?: StagedOrder,
): Promise<void> {
  const refused = await refusedOf(stage, concerned)
  if (refused === undefined) return
  let again: JournalEntry | undefined
  const from = refused.wallAt + refused.ms
  await stage.until(
    async () => {
      const told = (await order?.deliveries('COMPLETED')) ?? []
      const webhooks = told.flatMap(({ attempts }) => attempts.map(({ wallAt }) => wallAt))
      // What it asks because it was told something in between is not asked by itself.
      const becauseOf = (call: JournalEntry) => (at: number) =>
        at > refused.wallAt && call.wallAt >= at && call.wallAt < at + stage.app.settleMs
      again = (await stage.calls()).find(
        (call) =>
          concerned(call) &&
          !webhooks.some(becauseOf(call)) &&
          call.requestId === refused.requestId &&
          call.wallAt > from + atOnceMs &&
          call.wallAt < from + retryAfter * 1_000 - earlyMs,
      )
      return again !== undefined
    },
    retryAfter * 1_000 - earlyMs,
  )
  // By now it may ask again.
  if (again === undefined) return stage.pause(3 * earlyMs)
  throw new Finding({
    defect: 'impatient',
    did: `It was asked to wait ${retryAfter} s and sent \`${again.method} ${again.path.split('?')[0]}\` again after ${again.wallAt - from} ms.`,
    requestId: refused.requestId ?? undefined,
  })
}

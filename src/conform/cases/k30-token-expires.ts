import type { JournalEntry } from '../../index.ts'
import type { Case } from '../case.ts'
import {
  asksForTokens,
  isForToken,
  isRefusedAsExpired,
  tokenOf,
  tokenRanOut,
} from '../evidence/service-calls.ts'
import { Finding, NotSeen } from '../finding.ts'
import type { Script } from '../stage/scripts.ts'
import type { Stage } from '../stage/stage.ts'
import type { StagedOrder } from '../stage/staged-order.ts'
import { foundByLateWebhook, foundInNormalLife } from './found-before.ts'

const expires: Script = {
  timeline: [
    { at: '2s', client: { tokens: 'expired' } },
    { at: '4s', pay: 'completed' },
    { at: '5s', order: 'COMPLETED' },
  ],
}

/** Maximum number of token requests for a few calls: one, and some more for simultaneous calls. */
const tokensAtMost = 10
const moreLookups = 3

export const tokenExpires: Case = {
  id: 'K30',
  level: 'MUST',
  wholeClient: true,
  title: 'The access token expires',
  happens:
    'Between CREATED and COMPLETED every access token expires. Calls are then answered with 401 and a plain text.',
  right: 'Request one new token, repeat the rejected call, and use the new token from then on.',
  why: 'Otherwise the first token that expires in production stops all orders, or every call takes two additional calls.',
  // The service retries webhooks that the application refuses while its calls fail.
  explainedBy: [...foundInNormalLife, ...foundByLateWebhook],
  async run(stage) {
    stage.needs('start')
    const order = await firstOrder(stage)
    await order.isUnpaidBefore()
    const before = await stage.calls()
    await stage.advance('10s')
    await flowGoesOn(order, stage)
    const calls = await stage.calls()
    if (!calls.some(isRefusedAsExpired) && !calls.some(isForToken)) await createsAnother(stage)
    await keepsTheNewOne(order, stage, asksEachTime(before))
  },
}

/** Whether the application requested a token for every call from the start: that is wasteful, but an expired token
 *  changes nothing for it. */
function asksEachTime(calls: readonly JournalEntry[]): boolean {
  const tokens = calls.filter(isForToken).length
  return tokens > 0 && tokens >= calls.length - tokens
}

/** Creates the first order. The token may have expired before, because other cases have advanced the clock.
 *  @throws Finding if the application creates no order because of that, after two attempts */
async function firstOrder(stage: Stage): Promise<StagedOrder> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await stage.order({ follows: expires })
    } catch (error) {
      const calls = await stage.calls()
      if (!(error instanceof NotSeen) || !tokenRanOut(calls)) throw error
      if (attempt > 1)
        throw new Finding({ defect: 'lost', did: `${refusals(calls)} It created no more orders.` })
    }
  }
}

/** Describes how many calls were refused with an expired token, and how the application reacted. */
function refusals(calls: readonly JournalEntry[]): string {
  const refused = calls.filter(isRefusedAsExpired).length
  const after = calls.slice(calls.findIndex(isRefusedAsExpired))
  const asked = refused === 0 ? 0 : after.filter(isForToken).length
  return `${refused} of its calls were rejected because the access token had expired, and it requested ${asked === 0 ? 'no new one' : `a new one ${asked} times`}.`
}

async function flowGoesOn(order: StagedOrder, stage: Stage): Promise<void> {
  try {
    await order.endsPaid()
  } catch (error) {
    if (!(error instanceof Finding)) throw error
    await needsTokenRoute(stage)
    throw new Finding({ ...error.words, did: `${refusals(await stage.calls())} ${error.words.did}` })
  }
}

/** Creates another order, for an application that looks nothing up and needs its token only there. */
async function createsAnother(stage: Stage): Promise<void> {
  const { order } = await stage.begin()
  const next = await order()
  await needsTokenRoute(stage)
  if (next.orderId !== null) return
  throw new Finding({
    defect: 'lost',
    did: `After the token had expired it created no more orders: ${next.answerText}.`,
  })
}

/** Requires that the application requests access tokens.
 *  @throws NotSeen if it never did: its own token does not expire */
async function needsTokenRoute({ client }: Stage): Promise<void> {
  if (await asksForTokens(client)) return
  throw new NotSeen(
    'your application never requested an access token, so it seems to use one that does not expire',
  )
}

async function keepsTheNewOne(order: StagedOrder, stage: Stage, alwaysAsked: boolean): Promise<void> {
  await needsTokenRoute(stage)
  const first = await stage.calls()
  const [created] = await order.deliveries('CREATED')
  for (let n = 0; n < moreLookups && created !== undefined; n++) {
    await stage.resend(created)
    await stage.pause(stage.app.settleMs / moreLookups)
  }
  const all = await stage.calls()
  refuseOldToken(all, order)
  const more = all.slice(first.length)
  const asked = all.filter(isForToken).length
  const askedAgain = more.filter(isForToken).length
  if (asked <= tokensAtMost && (askedAgain < moreLookups || alwaysAsked)) return
  throw new Finding({
    defect: 'endless',
    did: `It requested an access token ${asked} times, ${askedAgain} of them after it already had a valid new one.`,
    requestId: order.requestId,
  })
}

/** Throws a finding if the application goes on with its expired token after it got a new one. The emulator accepts
 *  that token again; a real service would not. */
function refuseOldToken(calls: readonly JournalEntry[], order: StagedOrder): void {
  const old = new Set(calls.filter(isRefusedAsExpired).map(tokenOf))
  const given = calls.findIndex((call) => isForToken(call) && call.status === 200)
  const later =
    given === -1 ? [] : calls.slice(given + 1).filter((call) => !isForToken(call) && tokenOf(call) !== '')
  if (old.size === 0 || later.length < 2 || later.some((call) => !old.has(tokenOf(call)))) return
  throw new Finding({
    defect: 'lost',
    did: `It got a new access token, and kept sending the rejected one (${later.length} calls).`,
    requestId: order.requestId,
  })
}

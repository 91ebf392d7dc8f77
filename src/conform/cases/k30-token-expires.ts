import type { JournalEntry } from '../../index.ts'
import type { Case } from '../case.ts'
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

/** How often a flow of a handful of calls may ask for a token: once, and a few times more by calls made at once. */
const tokensAtMost = 10
const moreLookups = 3

/** Access tokens live for a while, and nobody says when they end. */
export const tokenExpires: Case = {
  id: 'K30',
  level: 'MUST',
  wholeClient: true,
  title: 'The access token expires',
  happens: 'Between CREATED and COMPLETED every access token expires: calls are answered 401 with a text.',
  right: 'Get a new token once, repeat the call that was refused, and use the new token from then on.',
  why: 'Otherwise the first token that expires in production stops all orders, or each call costs two more.',
  // Webhooks that it refuses meanwhile come again.
  explainedBy: [...foundInNormalLife, ...foundByLateWebhook],
  async run(stage) {
    stage.needs('start')
    const order = await stage.order({ follows: expires })
    await order.isUnpaidBefore()
    const before = await stage.calls()
    await stage.advance('10s')
    await flowGoesOn(order, stage)
    const calls = await stage.calls()
    if (!calls.some(refusedAsExpired) && !calls.some(forToken)) await createsAnother(stage)
    await keepsTheNewOne(order, stage, asksEachTime(before))
  },
}

const forToken = ({ operation }: JournalEntry): boolean => operation === 'access-token'
const refusedAsExpired = ({ diagnosis }: JournalEntry): boolean => diagnosis?.cause === 'token.expired'
const tokenOf = ({ headers }: JournalEntry): string => headers['access-token'] ?? ''

/** An application that has got a token for every call from the start is wasteful, and nothing has changed for it. */
function asksEachTime(calls: readonly JournalEntry[]): boolean {
  const tokens = calls.filter(forToken).length
  return tokens > 0 && tokens >= calls.length - tokens
}

async function flowGoesOn(order: StagedOrder, stage: Stage): Promise<void> {
  try {
    await order.endsPaid()
  } catch (error) {
    if (!(error instanceof Finding)) throw error
    await needsTokenRoute(stage)
    const calls = await stage.calls()
    const refused = calls.filter(refusedAsExpired).length
    const after = calls.slice(calls.findIndex(refusedAsExpired))
    const asked = refused === 0 ? 0 : after.filter(forToken).length
    const did = `${refused} of its calls were refused because the access token had expired, and it asked for ${asked === 0 ? 'no other' : `another ${asked} times`}. ${error.words.did}`
    throw new Finding({ ...error.words, did })
  }
}

/** One that looks nothing up needs its token for the next create call. */
async function createsAnother(stage: Stage): Promise<void> {
  const { order } = await stage.begin()
  const next = await order()
  await needsTokenRoute(stage)
  if (next.orderId !== null) return
  throw new Finding({
    defect: 'lost',
    did: `After the token had expired it made no order any more: ${next.told}.`,
  })
}

/** @throws NotSeen for an application that never got a token: it has one that does not expire */
async function needsTokenRoute({ client }: Stage): Promise<void> {
  const asked = await client.requests.list({ operation: 'access-token', limit: 1 })
  if (asked.length > 0) return
  throw new NotSeen(
    'your application never asked for an access token, so it seems to have one that does not expire',
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
  const asked = all.filter(forToken).length
  const askedAgain = more.filter(forToken).length
  if (asked <= tokensAtMost && (askedAgain < moreLookups || alwaysAsked)) return
  throw new Finding({
    defect: 'endless',
    did: `It asked for an access token ${asked} times, ${askedAgain} of them after it had got a new one and all went well again.`,
    requestId: order.requestId,
  })
}

/** The emulator takes a client's own token again once a new one was given out; a real service would not. */
function refuseOldToken(calls: readonly JournalEntry[], order: StagedOrder): void {
  const old = new Set(calls.filter(refusedAsExpired).map(tokenOf))
  const given = calls.findIndex((call) => forToken(call) && call.status === 200)
  const later =
    given === -1 ? [] : calls.slice(given + 1).filter((call) => !forToken(call) && tokenOf(call) !== '')
  if (old.size === 0 || later.length < 2 || later.some((call) => !old.has(tokenOf(call)))) return
  throw new Finding({
    defect: 'lost',
    did: `It got a new access token, and went on sending the one that had been refused (${later.length} calls).`,
    requestId: order.requestId,
  })
}

import type { Delivery, JournalEntry, Order } from '../index.ts'
import type { Case } from './case.ts'
import { curlOf } from './curl.ts'
import type { Finding } from './finding.ts'
import type { SentWebhook, TimelineEntry, ToldFinding } from './report.ts'
import type { Stage } from './stage.ts'

/** Everything that somebody needs to understand a finding. @param repeat the command that runs the case again */
export async function toldFinding(
  finding: Finding,
  { played, stage, repeat }: { played: Case; stage: Stage; repeat: string },
): Promise<ToldFinding> {
  const {
    defect,
    did,
    should = played.right,
    requestId = lastRequestId(stage),
    deliveryId,
    curl,
  } = finding.words
  const seen = requestId === null ? null : await everythingAbout(requestId, stage)
  const named = deliveryId === undefined ? undefined : await stage.client.deliveries.get(deliveryId)
  const sent = curl === undefined ? sentOf(named ?? lastTried(seen?.deliveries ?? [])) : null
  return {
    defect,
    did,
    should,
    requestId,
    timeline: timelineOf(stage, seen),
    sent,
    repeat,
    curl: curl ?? (sent === null ? null : curlOf(sent)),
  }
}

interface Everything {
  readonly order: Order | null
  readonly deliveries: readonly Delivery[]
  readonly calls: readonly JournalEntry[]
}

const lastRequestId = ({ orders }: Stage): string | null =>
  orders.findLast(({ known }) => known)?.requestId ?? null

async function everythingAbout(requestId: string, stage: Stage): Promise<Everything> {
  const [[order = null], deliveries, calls, tokenCalls] = await Promise.all([
    stage.client.orders.list({ requestId, limit: 1 }),
    stage.client.deliveries.list({ requestId }),
    stage.calls({ requestId }),
    stage.calls(),
  ])
  const tokens = tokenCalls.filter(({ operation }) => operation === 'access-token')
  return { order, deliveries, calls: [...calls, ...tokens] }
}

const lastTried = (deliveries: readonly Delivery[]): Delivery | undefined =>
  deliveries.findLast(({ attempts }) => attempts.length > 0)

function sentOf(delivery: Delivery | undefined): SentWebhook | null {
  const attempt = delivery?.attempts.at(-1)
  if (delivery === undefined || attempt === undefined) return null
  return {
    url: attempt.url,
    headers: attempt.requestHeaders,
    body: attempt.bodyText ?? delivery.bodyText,
    status: attempt.status,
    answer: attempt.responseBody,
    ms: attempt.ms,
    error: attempt.error,
  }
}

/** By the client's clock, and on the wall where that stands. */
function timelineOf(stage: Stage, seen: Everything | null): TimelineEntry[] {
  const { at, wallAt } = stage.began
  const since = (moment: { at: number; wallAt?: number }) => ({
    atMs: moment.at - at,
    wallMs: moment.wallAt === undefined ? null : moment.wallAt - wallAt,
  })
  const moves = (seen?.order?.history ?? []).map(
    (move): TimelineEntry => ({
      ...since(move),
      who: 'service',
      what: move.to === undefined ? move.what : `${move.what} ${move.from ?? ''} → ${move.to}`,
    }),
  )
  const webhooks = (seen?.deliveries ?? []).flatMap(({ orderStatus, attempts }) =>
    attempts.map(
      (attempt): TimelineEntry => ({
        ...since(attempt),
        who: 'webhook',
        what: `${orderStatus || 'webhook'}, attempt ${attempt.n}: ${attempt.status === null ? (attempt.error ?? attempt.outcome) : `answered ${attempt.status} in ${attempt.ms} ms`}`,
      }),
    ),
  )
  const calls = (seen?.calls ?? []).map(
    (call): TimelineEntry => ({
      ...since(call),
      who: 'call',
      what: `${call.method} ${call.path.split('?')[0]}: ${call.status === 0 ? 'not answered' : `answered ${call.status}`}${call.notes.map((note) => ` (${note})`).join('')}`,
    }),
  )
  return [...moves, ...webhooks, ...calls, ...stage.notes].toSorted(
    (a, b) => a.atMs - b.atMs || (a.wallMs ?? -1) - (b.wallMs ?? -1),
  )
}

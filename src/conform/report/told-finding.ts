import type { Delivery, JournalEntry } from '../../index.ts'
import type { Case } from '../case.ts'
import type { Finding } from '../finding.ts'
import type { SentWebhook, ToldFinding } from '../report.ts'
import type { Stage } from '../stage/stage.ts'
import { resentBy, sentAgain } from './commands.ts'
import { timelineOf } from './timeline.ts'

/** Everything that somebody needs to understand a finding.
 *  @param repeat the command that runs the case again
 *  @param emulatorEnds with the run, so that no command can ask it any more */
export async function toldFinding(
  finding: Finding,
  { played, stage, repeat, emulatorEnds }: Repeatable & { played: Case; stage: Stage },
): Promise<ToldFinding> {
  const {
    defect,
    did,
    should = played.right,
    requestId = lastRequestId(stage),
    deliveryId,
    curl,
  } = finding.words
  const happened = await happenedTo(requestId, stage)
  const named = typeof deliveryId === 'string' ? await stage.client.deliveries.get(deliveryId) : deliveryId
  const shows = named === undefined && curl === undefined ? latestOf(happened.deliveries) : named
  const sent = sentOf(shows ?? undefined)
  const emulator = emulatorEnds || hasNoPort(stage.client.url) ? null : stage.client.url
  return {
    defect,
    did,
    should,
    requestId,
    timeline: timelineOf(stage.began, happened),
    sent,
    repeat,
    curl: curl ?? (sent === null || isOutOfReach(sent, stage) ? null : sentAgain(sent, emulator)),
    resend: sent === null || emulator === null ? null : resentBy(emulator, sent, clientOf(stage)),
  }
}

interface Repeatable {
  readonly repeat: string
  readonly emulatorEnds: boolean
}

const clientOf = ({ client, app }: Stage) => ({
  clientId: client.clientId,
  webhookSignature: app.webhookSignature,
})

/** Beside an emulator without a port, an application may be a function that only looks like a URL. */
const isOutOfReach = ({ url }: SentWebhook, { client }: Stage): boolean =>
  hasNoPort(client.url) && !/^(localhost|127\.[\d.]+|\[::1\])$/.test(new URL(url).hostname)

/** An emulator without a port answers in its own process only. */
const hasNoPort = (emulator: string): boolean => new URL(emulator).hostname.endsWith('.internal')

const lastRequestId = ({ orders }: Stage): string | null =>
  orders.findLast(({ known }) => known)?.requestId ?? null

async function happenedTo(requestId: string | null, stage: Stage) {
  const notes = stage.notesAbout(requestId)
  const calls = await stage.calls()
  if (requestId === null) return { requestId, orders: [], deliveries: [], calls, notes }
  const [orders, deliveries] = await Promise.all([
    stage.client.orders.list({ requestId }),
    stage.client.deliveries.list({ requestId }),
  ])
  const told = [requestId, '', ...strangersAmong(calls, stage)]
  const isTold = (each: { requestId: string | null }) => told.includes(each.requestId ?? '')
  const strange = stage.byHand.filter((each) => each.requestId !== requestId && isTold(each))
  return {
    ...{ requestId, orders, notes },
    deliveries: [...deliveries, ...strange],
    calls: calls.filter(isTold),
  }
}

/** Orders that the application has created in this case though nobody asked for them: they may be what is wrong. */
function strangersAmong(calls: readonly JournalEntry[], { orders }: Stage): string[] {
  const asked = orders.flatMap((order) => (order.known ? [order.requestId] : []))
  const created = calls.filter(({ operation }) => operation?.startsWith('create-'))
  return created.flatMap(({ requestId }) => requestId ?? []).filter((name) => !asked.includes(name))
}

function sentOf(delivery: Delivery | undefined): SentWebhook | null {
  const attempt = delivery?.attempts.at(-1)
  if (delivery === undefined || attempt === undefined) return null
  return {
    deliveryId: delivery.id,
    attempt: attempt.n,
    url: attempt.url,
    headers: attempt.requestHeaders,
    body: attempt.bodyText ?? delivery.bodyText,
    status: attempt.status,
    answer: attempt.responseBody,
    ms: attempt.ms,
    error: attempt.error,
  }
}

/** A delivery that was made early may have been sent last. */
function latestOf(deliveries: readonly Delivery[]): Delivery | undefined {
  const lastAt = ({ attempts }: Delivery) => attempts.at(-1)?.wallAt ?? 0
  return deliveries
    .filter(({ attempts }) => attempts.length > 0)
    .toSorted((a, b) => lastAt(a) - lastAt(b))
    .at(-1)
}

import { withoutConnectionAdvice } from '../../domain/webhook/connection-advice.ts'
import type { Delivery, JournalEntry } from '../../index.ts'
import type { Case } from '../case.ts'
import type { Finding } from '../finding.ts'
import type { ReportedFinding, SentWebhook } from '../report.ts'
import type { Stage } from '../stage/stage.ts'
import { resentBy, sentAgain } from './explanation.ts'
import { timelineOf } from './timeline.ts'

/** Builds the full report of a finding.
 *  @param repeat the command that runs the case again
 *  @param emulatorEnds whether the emulator ends with the run, so that no command can call it */
export async function findingReport(
  finding: Finding,
  { played, stage, repeat, emulatorEnds }: Repeatable & { played: Case; stage: Stage },
): Promise<ReportedFinding> {
  const {
    defect,
    did,
    should = played.right,
    requestId = lastRequestId(stage),
    deliveryId,
    curl,
  } = finding.words
  const happened = await sourcesOf(requestId, stage)
  const named = typeof deliveryId === 'string' ? await stage.client.deliveries.get(deliveryId) : deliveryId
  const shows = named === undefined && curl === undefined ? latestOf(happened.deliveries) : named
  const sent = sentOf(shows ?? undefined)
  const emulator = emulatorEnds || hasNoPort(stage.client.url) ? null : stage.client.url
  const report = {
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
  return defect === 'crashed' ? withoutAdvice(report) : report
}

/** Leaves out how to reach an application from a container: this one was reached, and then ended. */
const withoutAdvice = (report: ReportedFinding): ReportedFinding => ({
  ...report,
  did: withoutConnectionAdvice(report.did),
  timeline: report.timeline.map((entry) => ({ ...entry, what: withoutConnectionAdvice(entry.what) })),
  sent: report.sent && {
    ...report.sent,
    error: report.sent.error && withoutConnectionAdvice(report.sent.error),
  },
})

interface Repeatable {
  readonly repeat: string
  readonly emulatorEnds: boolean
}

const clientOf = ({ client, app }: Stage) => ({
  clientId: client.clientId,
  webhookSignature: app.webhookSignature,
})

/** Whether `curl` cannot reach the application: beside an emulator without a port it may be a function. */
const isOutOfReach = ({ url }: SentWebhook, { client }: Stage): boolean =>
  hasNoPort(client.url) && !/^(localhost|127\.[\d.]+|\[::1\])$/.test(new URL(url).hostname)

/** Whether the emulator has no port and answers in its own process only. */
const hasNoPort = (emulator: string): boolean => new URL(emulator).hostname.endsWith('.internal')

const lastRequestId = ({ orders }: Stage): string | null =>
  orders.findLast(({ known }) => known)?.requestId ?? null

async function sourcesOf(requestId: string | null, stage: Stage) {
  const notes = stage.notesAbout(requestId)
  const calls = await stage.calls()
  if (requestId === null) return { requestId, orders: [], deliveries: [], calls, notes }
  const [orders, deliveries] = await Promise.all([
    stage.client.orders.list({ requestId }),
    stage.client.deliveries.list({ requestId }),
  ])
  const shownIds = [requestId, '', ...unrequestedOrders(calls, stage)]
  const isShown = (each: { requestId: string | null }) => shownIds.includes(each.requestId ?? '')
  const strange = stage.byHand.filter((each) => each.requestId !== requestId && isShown(each))
  return {
    ...{ requestId, orders, notes },
    deliveries: [...deliveries, ...strange],
    calls: calls.filter(isShown),
  }
}

/** Orders that the application created in this case without being asked: they may be the problem. */
function unrequestedOrders(calls: readonly JournalEntry[], { orders }: Stage): string[] {
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

/** The last delivery that was sent; one that was created early may have been sent last. */
function latestOf(deliveries: readonly Delivery[]): Delivery | undefined {
  const lastAt = ({ attempts }: Delivery) => attempts.at(-1)?.wallAt ?? 0
  return deliveries
    .filter(({ attempts }) => attempts.length > 0)
    .toSorted((a, b) => lastAt(a) - lastAt(b))
    .at(-1)
}

import { overrideOf } from '../../domain/webhook/faults/attempt-faults.ts'
import type { Delivery, JournalEntry, Order } from '../../index.ts'
import type { Case } from '../case.ts'
import type { Finding } from '../finding.ts'
import type { ReportedFinding, SentWebhook, TimelineEntry } from '../report.ts'
import type { Note } from '../stage/case-context.ts'
import type { Stage } from '../stage/stage.ts'
import { resentBy, sentAgain } from './explanation.ts'

type Moved = Pick<Order, 'charge' | 'history'>
type Delivered = Pick<Delivery, 'orderStatus' | 'attempts' | 'plan'>
type Called = Pick<
  JournalEntry,
  'at' | 'wallAt' | 'requestId' | 'method' | 'path' | 'operation' | 'status' | 'notes' | 'diagnosis'
>

/** An event from which a line of the timeline is made. */
export interface TimelineSource {
  /** The requestId of the event; null if the event concerns no order. */
  readonly requestId: string | null
  readonly orders: readonly Moved[]
  readonly deliveries: readonly Delivered[]
  readonly calls: readonly Called[]
  readonly notes: readonly Note[]
}

/** When the case began, on the client's clock and on the wall clock. */
interface Began {
  readonly at: number
  readonly wallAt: number
}

/** A line, with the data by which equal lines in a row are combined. */
interface Line extends TimelineEntry {
  readonly alike: string
  /** The order status that a webhook or a status change reports. */
  readonly status?: string
  /** Whether it is the create call, or the creation of the order. */
  readonly creates?: boolean
  /** Whether the create call is a consequence of this line. */
  readonly begins?: boolean | undefined
}

/** Up to this number, equal lines are shown separately. */
const fewLines = 3
/** The maximum number of timeline lines in a report; the middle is left out. */
const mostLines = 60

/** Builds the timeline in order of the client's clock, then of the wall clock. Many equal lines in a row are
 *  combined. */
export function timelineOf(
  began: Began,
  { requestId, orders, deliveries, calls, notes }: TimelineSource,
): TimelineEntry[] {
  const dated = [
    ...deliveries.flatMap((delivery) => attemptLines(delivery, began)),
    ...calls.map((call) => callLine(call, began, requestId)),
    ...notes.map((note): Line => ({ ...note, alike: note.what })),
  ].toSorted(byTime)
  const moves = orders.flatMap((order) => moveLines(order, began))
  return shortened(folded(moves.reduce(withMove, dated)))
}

/** Orders lines of the same millisecond: first the line that asked for the order, then the create call, then all
 *  others, which follow from these. */
const byTime = (a: Line, b: Line): number =>
  a.atMs - b.atMs || (a.wallMs ?? 0) - (b.wallMs ?? 0) || rank(a) - rank(b)

const rank = ({ begins, creates }: Line): number => (begins ? 0 : creates ? 1 : 2)

function attemptLines({ orderStatus, attempts, plan }: Delivered, began: Began): Line[] {
  return attempts.map((attempt) => {
    const { n, status, outcome, error, ms } = attempt
    const which = `${orderStatus || 'webhook'}${n === 1 ? '' : `, attempt ${n}`}`
    const answer = status === null ? `not answered (${error ?? outcome})` : `answered ${status}`
    const ended = overrideOf(plan, attempt) ?? answer
    return {
      ...since(attempt, began),
      who: 'webhook',
      what: `${which}: ${ended}${ms === null ? '' : ` after ${ms} ms`}`,
      alike: `${orderStatus || 'webhook'}: ${ended}`,
      status: orderStatus,
    }
  })
}

function callLine(call: Called, began: Began, about: string | null): Line {
  const { method, path, operation, status, notes, diagnosis } = call
  const answer = status === 0 ? 'not answered' : `answered ${status}`
  const shownNotes = notes.filter((note) => !/^(?:signature form|scenario): /.test(note))
  const more = [...shownNotes, ...(diagnosis === null ? [] : [diagnosis.message])].map((note) => ` (${note})`)
  const which = call.requestId === null || call.requestId === about ? '' : ` (order ${call.requestId})`
  const what = `${method} ${path.split('?')[0]}${which}: ${answer}${more.join('')}`
  const creates = operation?.startsWith('create-') === true && call.requestId === about
  return { ...since(call, began), who: 'call', what, alike: what, creates }
}

function moveLines({ charge, history }: Moved, began: Began): Line[] {
  return history.map(({ at, what, from, to }) => {
    const which = charge === 1 ? '' : `charge ${charge}: `
    const move = to === undefined ? what : from === undefined ? `${what}: ${to}` : `${what} ${from} → ${to}`
    const words = `${which}${move}`
    const creates = what === 'created'
    return { ...since({ at }, began), who: 'service', what: words, alike: words, status: to ?? what, creates }
  })
}

const since = ({ at, wallAt }: { at: number; wallAt?: number }, began: Began) => ({
  atMs: at - began.at,
  wallMs: wallAt === undefined ? null : wallAt - began.wallAt,
})

/** Inserts a status change, of which only the client's time is known: after the create call and before its webhook of
 *  the same time, otherwise last. */
function withMove(lines: readonly Line[], move: Line): Line[] {
  const ofItsMoment = lines.map((line) => line.atMs === move.atMs)
  const behind = lines.findIndex(({ creates }, n) => ofItsMoment[n] && move.creates && creates)
  const before = lines.findIndex(
    ({ who, status }, n) => ofItsMoment[n] && who === 'webhook' && status === move.status,
  )
  const after = lines.findIndex(({ atMs }) => atMs > move.atMs)
  const place = behind >= 0 ? behind + 1 : before >= 0 ? before : after >= 0 ? after : lines.length
  return lines.toSpliced(place, 0, move)
}

/** Combines equal lines with the same time on the client's clock to one line, if there are many in a row. */
function folded(lines: readonly Line[]): TimelineEntry[] {
  let acts = 0
  let act = ''
  const rows = Map.groupBy(lines, ({ who, alike, atMs }) => {
    if (who === 'conform' && alike !== act) acts += 1
    if (who === 'conform') act = alike
    return `${acts} ${atMs} ${who} ${alike}`
  })
  const rowOf = new Map([...rows.values()].flatMap((row) => row.map((line) => [line, row] as const)))
  return lines.flatMap((line) => {
    const row = rowOf.get(line) ?? [line]
    if (row.length <= fewLines) return [plain(line)]
    return line === row[0] ? [asOne(line, row)] : []
  })
}

const plain = ({ atMs, wallMs, who, what }: Line): TimelineEntry => ({ atMs, wallMs, who, what })

function asOne(line: Line, row: readonly Line[]): TimelineEntry {
  const spanMs = (row.at(-1)?.wallMs ?? 0) - (line.wallMs ?? 0)
  const within = spanMs > 0 ? ` within ${spanMs} ms` : ''
  return { ...plain(line), what: `${row.length} times${within}: ${line.alike}` }
}

function shortened(lines: readonly TimelineEntry[]): TimelineEntry[] {
  const left = lines.slice(mostLines / 2, -mostLines / 2)
  const [gap] = left
  if (gap === undefined || left.length < 2) return [...lines]
  return [
    ...lines.slice(0, mostLines / 2),
    { ...gap, who: 'conform', what: `${left.length} more lines omitted` },
    ...lines.slice(-mostLines / 2),
  ]
}

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

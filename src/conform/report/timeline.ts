import { overrideOf } from '../../domain/webhook/faults/attempt-faults.ts'
import type { Delivery, JournalEntry, Order } from '../../index.ts'
import type { TimelineEntry } from '../report.ts'
import type { Note } from '../stage/case-context.ts'

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

/** Builds the timeline in order of wall-clock time. Neither of its two times ever decreases from line to line. Many
 *  equal lines in a row are combined. */
export function timelineOf(
  began: Began,
  { requestId, orders, deliveries, calls, notes }: TimelineSource,
): TimelineEntry[] {
  const dated: Line[] = [
    ...deliveries.flatMap((delivery) => attemptLines(delivery, began)),
    ...calls.map((call) => callLine(call, began, requestId)),
    ...notes.map((note): Line => ({ ...note, alike: note.what })),
  ]
  const { lines, contradicting } = bothTimesRising(dated.toSorted(byTime))
  const moves = orders.flatMap((order) => moveLines(order, began))
  return shortened(folded(moves.reduce(withMove, contradicting.reduce(withMove, lines))))
}

/** Orders lines by wall-clock time. In the same millisecond the line that asked for the order comes first, then the
 *  create call, then all others, which follow from these. */
const byTime = (a: Line, b: Line): number =>
  (a.wallMs ?? 0) - (b.wallMs ?? 0) || a.atMs - b.atMs || rank(a) - rank(b)

/** Makes the client's clock rise along lines in order of wall-clock time. A note of conform has the last time that
 *  conform has read, so the clock was at least where earlier lines have seen it. The emulator has read both times of
 *  a call or webhook: if its clock is behind that of an earlier line, the wall clock was set, or differs between two
 *  machines. Then its wall-clock time is left out, and its place follows from the client's clock alone. */
function bothTimesRising(inOrder: readonly Line[]): { lines: Line[]; contradicting: Line[] } {
  const lines: Line[] = []
  const contradicting: Line[] = []
  let latest = Number.NEGATIVE_INFINITY
  for (const line of inOrder) {
    if (line.atMs < latest && line.who !== 'conform') contradicting.push({ ...line, wallMs: null })
    else {
      latest = Math.max(latest, line.atMs)
      lines.push({ ...line, atMs: latest })
    }
  }
  return { lines, contradicting }
}

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

/** Inserts a line of which only the time on the client's clock is known. A status change stands after the create call
 *  and before its webhook of the same time; any other line is the last one of its time. */
function withMove(lines: readonly Line[], move: Line): Line[] {
  const ofItsMoment = lines.map((line) => line.atMs === move.atMs)
  const behind = lines.findIndex(
    ({ creates }, n) => ofItsMoment[n] && move.who === 'service' && move.creates && creates,
  )
  const before = lines.findIndex(
    ({ who, status }, n) =>
      ofItsMoment[n] && move.who === 'service' && who === 'webhook' && status === move.status,
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
  const spanMs = (row.at(-1)?.wallMs ?? Number.NaN) - (line.wallMs ?? Number.NaN)
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

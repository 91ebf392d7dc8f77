import { stripVTControlCharacters } from 'node:util'
import { type Paint, painter } from '../../conform/report/terminal-style.ts'
import { spanText } from '../../domain/explain/explain-text.ts'
import { formatDuration } from '../../domain/text/duration.ts'
import { oneLine } from '../../domain/text/issue-words.ts'
import {
  type ClockRecord,
  type DeliveriesRecord,
  type DeliveryRecord,
  isMove,
  type LogRecord,
  type OrderRecord,
  type RequestRecord,
  type ScenarioRecord,
  type UnsentRecord,
  type WorldRecord,
} from './records.ts'

/** Indents further lines under the words of the first line, not under its time. */
const indent = ' '.repeat(13)
/** The minimum width of a terminal for wrapping lines. */
const leastColumns = 40

/** Breaks a line between words; longer words stay whole.
 *  @param columns characters in a line; null: no limit */
function wrapped(line: string, columns: number | null): string {
  if (columns === null || columns < leastColumns) return line
  return line
    .split('\n')
    .map((each) => (widthOf(each) > columns ? broken(each, columns) : each))
    .join('\n')
}

function broken(line: string, columns: number): string {
  const [first = '', ...words] = line.split(' ')
  const lines = [first]
  let width = widthOf(first)
  for (const word of words) {
    const more = widthOf(word)
    if (width + 1 + more > columns && width > indent.length) {
      lines.push(`${indent}${word}`)
      width = indent.length + more
    } else {
      lines.push(`${lines.pop()} ${word}`)
      width += 1 + more
    }
  }
  return lines.join('\n')
}

const widthOf = (text: string): number => stripVTControlCharacters(text).length

/** The style of lines for people. */
export interface PrettyStyle {
  readonly colours: boolean
  /** The width of the terminal in characters; null for no limit. */
  readonly columns: number | null
  /** The client whose name is left out of log lines. */
  readonly demoClientId: string
}

/** Formats a record as one line: time, event, client and result. Null if another line already shows it.
 *  @param wallNow wall-clock time of the event */
export function prettyLine(record: LogRecord, wallNow: number, style: PrettyStyle): string | null {
  const paint = painter(style.colours)
  const words = wordsOf(record, { ...style, paint })
  return words === null ? null : wrapped(`${paint('dim', timeOf(wallNow))} ${words}`, style.columns)
}

interface Style extends PrettyStyle {
  readonly paint: Paint
}

function wordsOf(record: LogRecord, style: Style): string | null {
  switch (record.event) {
    case 'request':
      return requestWords(record, style)
    case 'delivery':
      return deliveryWords(record, style)
    case 'delivery-skipped':
      return unsentWords(record, style)
    case 'deliveries':
      return deliveriesWords(record, style)
    case 'order':
      // The line of the create call already shows the new order.
      return record.from === undefined && record.also === undefined ? null : orderWords(record, style)
    case 'clock':
      return clockWords(record, style)
    case 'world':
      return worldWords(record, style)
    case 'scenario':
      return scenarioWords(record, style)
  }
}

function requestWords(record: RequestRecord, style: Style): string {
  const { method, path, status, cause, message, notes = [], ms } = record
  const verdict = [
    status,
    ...(cause === undefined ? [] : [`[${cause}]`]),
    ...(message === undefined ? [] : [oneLine(message)]),
  ].join(' ')
  // Invalid HTTP has neither a method nor a path.
  const what = [oneLine(method, 20) || '(no request)', oneLine(path, 200) || '-']
  return joined([
    ...what,
    ...whose(record, style),
    style.paint(colourOf(status), verdict),
    `(${ms} ms)`,
    noteWords(notes, style),
  ])
}

/** Faults are highlighted, because they explain errors. */
function noteWords(notes: readonly string[], { paint }: Style): string {
  const faults = notes.filter(isFault)
  const others = notes.filter((note) => !isFault(note))
  return joined([paintedNotes(faults, 'magenta', paint), paintedNotes(others, 'dim', paint)])
}

const isFault = (note: string) => note.startsWith('fault: ')

const paintedNotes = (notes: readonly string[], colour: 'magenta' | 'dim', paint: Paint) =>
  notes.length === 0 ? '' : paint(colour, oneLine(notes.join('; ')))

function deliveryWords(record: DeliveryRecord, style: Style): string {
  const { url, attempt, status, error, overridden, fault, ms, next, nextInMs, pausedAfter } = record
  // An error and its advice are separated by the first semicolon.
  const [what, hint] = status === null && error !== undefined ? error.split(/; (.*)/s) : []
  const words = status === null ? [record.outcome, what] : [overridden ? error : String(status)]
  const answer = oneLine(words.filter((word) => word !== undefined).join(': '))
  const colour = overridden ? 'yellow' : next === 'delivered' ? 'green' : 'red'
  return joined([
    ...eventWords(record, style),
    '->',
    oneLine(url, 300),
    style.paint(colour, answer),
    `(attempt ${attempt}, ${ms} ms)${afterwards(next, nextInMs)}`,
    fault === undefined ? '' : style.paint('magenta', oneLine(`fault: ${fault}`)),
    pausedAfter === undefined ? '' : `\n${indent}${style.paint('yellow', pauseWords(pausedAfter))}`,
    hint === undefined ? '' : `\n${indent}${style.paint('yellow', oneLine(`hint: ${hint}`))}`,
  ])
}

const pauseWords = (failures: number): string =>
  `paused: ${failures} failed attempts in a row (webhook.disableAfter); set the URL again to resume`

function afterwards(next: DeliveryRecord['next'], nextInMs = 0): string {
  if (next === 'delivered') return ''
  return next === 'dead'
    ? '; given up'
    : `; next attempt in ${formatDuration(rounded(nextInMs))} by its client's clock`
}

const unsentWords = (record: UnsentRecord, style: Style): string =>
  joined([
    ...eventWords(record, style),
    style.paint('yellow', 'not sent: no webhook URL'),
    oneLine(record.body, 1_000),
  ])

const deliveriesWords = ({ change, clientId, ids }: DeliveriesRecord, { paint }: Style): string =>
  `webhooks ${paint('bold', change)} ${oneLine(clientId, 100)} ${ids.length} by hand`

function orderWords(record: OrderRecord, style: Style): string {
  const { orderStatus, errorCode, from, also = [] } = record
  const status = orderStatus === 'FAILED' && errorCode !== undefined ? `FAILED ${errorCode}` : orderStatus
  const more = oneLine(also.join(', '))
  return joined([
    'order',
    from === undefined ? '' : style.paint(statusColour(orderStatus), oneLine(status, 60)),
    ...whose(record, style),
    from === undefined ? more : style.paint('dim', more),
  ])
}

/** The colour of an order status; the text alone is enough to read it. */
const statusColour = (orderStatus: string): Parameters<Paint>[0] =>
  orderStatus === 'FAILED' ? ['bold', 'red'] : orderStatus === 'COMPLETED' ? ['bold', 'green'] : 'bold'

function clockWords(record: ClockRecord, { paint }: Style): string {
  const { clientId, from, now, mode, speed, paceChanged } = record
  const moment = new Date(now).toISOString().replace('.000Z', 'Z')
  const moved = isMove(record) ? [`on by ${spanText(rounded(now - from)).slice(1)} to ${moment}`] : []
  const pace = mode === 'manual' ? `manual, stopped at ${moment}` : speed === 1 ? 'real' : `${speed}x`
  return `clock ${oneLine(clientId, 100)} ${paint('cyan', [...moved, ...(paceChanged ? [pace] : [])].join('; '))}`
}

const worldWords = ({ clientId, change }: WorldRecord, { paint }: Style): string =>
  `world ${clientId === null ? 'of all clients' : oneLine(clientId, 100)} ${paint('cyan', change)}`

function scenarioWords({ id, file, change, problems = [] }: ScenarioRecord, { paint }: Style): string {
  if (problems.length === 0)
    return `scenario ${paint('bold', oneLine(id, 64))} ${change} (${oneLine(file, 300)})`
  const lines = problems.map((problem) => `\n  ${oneLine(problem, 500)}`).join('')
  const what =
    change === 'unwatched'
      ? 'scenario files:'
      : `scenario ${oneLine(id, 64)} has problems; new orders use its last valid version, if there is one:`
  return `${paint('red', what)}${lines}`
}

const eventWords = (
  event: { orderStatus: string; requestId: string; clientId: string },
  style: Style,
): string[] => ['webhook', style.paint('bold', oneLine(event.orderStatus, 60)), ...whose(event, style)]

/** The requestId, and the client's name if it is not the demo client. A webhook sent by hand may have neither. */
function whose(
  { requestId, clientId }: { requestId: string | null; clientId: string | null },
  { demoClientId }: Style,
): string[] {
  const client = clientId === null || clientId === demoClientId ? '' : `(${oneLine(clientId, 100)})`
  return [oneLine(requestId ?? '', 100), client]
}

const joined = (words: readonly (string | number)[]): string => words.filter((word) => word !== '').join(' ')

/** Rounds a delay: retries begin a few milliseconds after the failure was noticed. */
const rounded = (ms: number) => (ms < 1_000 ? ms : Math.round(ms / 1_000) * 1_000)

/** The colour of an HTTP status; 0 stands for no answer. */
const colourOf = (status: number) => (status > 0 && status < 300 ? 'green' : status < 500 ? 'yellow' : 'red')

/** Formats a time of day in the local time zone: `16:12:09.287`. */
export function timeOf(wallMs: number): string {
  const at = new Date(wallMs)
  return `${at.toTimeString().slice(0, 8)}.${String(at.getMilliseconds()).padStart(3, '0')}`
}

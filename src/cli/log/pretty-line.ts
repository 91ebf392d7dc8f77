import { styleText } from 'node:util'
import { formatDuration } from '../../domain/duration.ts'
import { oneLine } from './one-line.ts'
import type {
  DeliveryRecord,
  LogRecord,
  OrderRecord,
  RequestRecord,
  ScenarioRecord,
  UnsentRecord,
} from './records.ts'

/** How lines for people are written. */
export interface PrettyStyle {
  readonly colours: boolean
  /** The client that needs no naming. */
  readonly demoClientId: string
}

/** A record as one line for people; null if another line says it already.
 *  @param wallNow when it happened, for the time at the line's beginning */
export function prettyLine(record: LogRecord, wallNow: number, style: PrettyStyle): string | null {
  const words = wordsOf(record, style)
  return words === null ? null : `${paint('dim', timeOf(wallNow), style)} ${words}`
}

function wordsOf(record: LogRecord, style: PrettyStyle): string | null {
  switch (record.event) {
    case 'request':
      return requestWords(record, style)
    case 'delivery':
      return deliveryWords(record, style)
    case 'delivery-skipped':
      return unsentWords(record, style)
    case 'order':
      // The create call has a line of its own.
      return record.from === undefined ? null : orderWords(record, style)
    case 'scenario':
      return scenarioWords(record, style)
  }
}

function requestWords(record: RequestRecord, style: PrettyStyle): string {
  const { method, path, status, cause, message, notes, ms } = record
  const verdict = paint(
    colourOf(status),
    [
      status,
      ...(cause === undefined ? [] : [`[${cause}]`]),
      ...(message === undefined ? [] : [oneLine(message)]),
    ].join(' '),
    style,
  )
  const facts = [...(record.requestId === null ? [] : [shortly(record.requestId)]), ...named(record, style)]
  // What is no request has neither.
  const line = `${oneLine(method, 20) || '(no request)'} ${oneLine(path, 200) || '-'} ${verdict} (${[...facts, `${ms} ms`].join(', ')})`
  return notes === undefined ? line : `${line} ${paint('dim', oneLine(notes.join('; ')), style)}`
}

function deliveryWords(record: DeliveryRecord, style: PrettyStyle): string {
  const { url, attempt, status, error, ms, next, nextInMs } = record
  const answer =
    status === null ? oneLine(`${record.outcome}${error === undefined ? '' : `: ${error}`}`) : String(status)
  const verdict = paint(next === 'delivered' ? 'green' : 'red', answer, style)
  const facts = [...named(record, style), `attempt ${attempt}`, `${ms} ms`].join(', ')
  return `${eventWords(record, style)} -> ${oneLine(url, 300)} ${verdict} (${facts})${afterwards(next, nextInMs)}`
}

function afterwards(next: DeliveryRecord['next'], nextInMs = 0): string {
  if (next === 'delivered') return ''
  return next === 'dead'
    ? '; given up'
    : `; next attempt in ${formatDuration(rounded(nextInMs))} by its client's clock`
}

function unsentWords(record: UnsentRecord, style: PrettyStyle): string {
  const body = oneLine(record.body, 1_000)
  const whose = named(record, style).map((name) => ` (${name})`)
  return `${eventWords(record, style)}${whose.join('')} ${paint('yellow', 'not sent: no webhook URL', style)} ${body}`
}

function orderWords(record: OrderRecord, style: PrettyStyle): string {
  const { orderStatus, errorCode } = record
  const status = orderStatus === 'FAILED' && errorCode !== undefined ? `FAILED ${errorCode}` : orderStatus
  const facts = [shortly(record.requestId), ...named(record, style)].join(', ')
  return `order ${paint('bold', oneLine(status, 60), style)} ${facts}`
}

function scenarioWords({ id, file, change, problems = [] }: ScenarioRecord, style: PrettyStyle): string {
  if (problems.length === 0)
    return `scenario ${paint('bold', oneLine(id, 64), style)} ${change} (${oneLine(file, 300)})`
  const lines = problems.map((problem) => `\n  ${oneLine(problem, 500)}`).join('')
  const what =
    change === 'unwatched'
      ? 'scenario files:'
      : `scenario ${oneLine(id, 64)} is broken; coming orders get its last good version, if there was one:`
  return `${paint('red', what, style)}${lines}`
}

/** What is sent by hand may tell of nothing. */
const eventWords = (event: { orderStatus: string; requestId: string }, style: PrettyStyle) =>
  ['webhook', paint('bold', oneLine(event.orderStatus, 60), style), shortly(event.requestId)]
    .filter((word) => word !== '')
    .join(' ')

/** The client's name where there are several to tell apart. */
function named({ clientId }: { clientId: string | null }, { demoClientId }: PrettyStyle): string[] {
  return clientId === null || clientId === demoClientId ? [] : [oneLine(clientId, 100)]
}

const shortly = (requestId: string) => oneLine(requestId, 100)

/** Retries are at round distances, but each begins a few milliseconds after the failure was seen. */
const rounded = (ms: number) => (ms < 1_000 ? ms : Math.round(ms / 1_000) * 1_000)

/** 0 stands for no answer at all. */
const colourOf = (status: number) => (status > 0 && status < 300 ? 'green' : status < 500 ? 'yellow' : 'red')

/** `16:12:09.287`, in the time zone of the one who reads. */
export function timeOf(wallMs: number): string {
  const at = new Date(wallMs)
  return `${at.toTimeString().slice(0, 8)}.${String(at.getMilliseconds()).padStart(3, '0')}`
}

function paint(how: Parameters<typeof styleText>[0], text: string, { colours }: PrettyStyle): string {
  return colours ? styleText(how, text, { validateStream: false }) : text
}

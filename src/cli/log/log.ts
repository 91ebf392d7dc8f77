import { painter } from '../../conform/report/terminal-style.ts'
import { oneLine } from '../../domain/text/issue-words.ts'
import type { FeedEvent } from '../../journal/feed.ts'
import { wallNow } from '../../time/wall.ts'
import type { LogFormat } from '../serve/options.ts'
import type { StartFacts } from '../serve/start-text.ts'
import { readyRecord, startText } from '../serve/start-text.ts'
import type { Terminal } from '../terminal.ts'
import { prettyLine, timeOf } from './pretty-line.ts'
import { type LogRecord, recordsOf } from './records.ts'

/** The log for programs: one JSON object per line, with `level`, `time` and `event`; errors on standard error. */
function jsonLog(terminal: Terminal): Log {
  return {
    ready: (facts) => {
      for (const message of facts.warnings) terminal.out(line('warn', { event: 'warning', message }))
      for (const fixture of facts.fixtures) terminal.out(line('info', { event: 'fixture', ...fixture }))
      terminal.out(line('info', readyRecord(facts)))
    },
    event: (event) => {
      for (const record of recordsOf(event)) terminal.out(line(levelOf(record), record))
    },
    stopping: (why) => terminal.out(line('info', { event: 'stopping', why })),
    error: (error, id) => {
      const { message, stack } = error instanceof Error ? error : { message: String(error), stack: undefined }
      terminal.err(line('error', { event: 'error', id, message, stack }))
    },
  }
}

type Level = 'info' | 'warn' | 'error'

const line = (level: Level, record: object): string =>
  JSON.stringify({ level, time: new Date(wallNow()).toISOString(), ...record })

function levelOf(record: LogRecord): Level {
  if (record.event === 'request') return record.status < 400 ? 'info' : record.status < 500 ? 'warn' : 'error'
  if (record.event === 'scenario') return record.problems === undefined ? 'info' : 'warn'
  return record.event === 'delivery' && record.next !== 'delivered' ? 'warn' : 'info'
}

/** The events that the running program logs. */
export interface Log {
  ready(facts: StartFacts): void
  event(event: FeedEvent): void
  stopping(why: string): void
  /** Logs an internal error: a bug or a full disk. `id` is the request log entry in which it happened. */
  error(error: unknown, id?: string): void
}

/** Creates a log in a format. */
export function createLog(format: LogFormat, terminal: Terminal, demoClientId: string): Log {
  if (format === 'json') return jsonLog(terminal)
  const log = prettyLog(terminal, demoClientId)
  return format === 'pretty' ? log : { ...log, ready: () => {}, event: () => {}, stopping: () => {} }
}

/** The log for people: the start text, then a line for each event. */
function prettyLog(terminal: Terminal, demoClientId: string): Log {
  const paint = painter(terminal.colours)
  const style = () => ({ colours: terminal.colours, columns: terminal.columns, demoClientId })
  return {
    ready: (facts) => {
      for (const warning of facts.warnings) terminal.err(`warning: ${warning}`)
      terminal.out(startText(facts, terminal.colours))
    },
    event: (event) => {
      for (const record of recordsOf(event)) {
        const line = prettyLine(record, wallNow(), style())
        if (line !== null) terminal.out(line)
      }
    },
    stopping: (why) =>
      terminal.out(
        `${paint('dim', timeOf(wallNow()))} stopping (${why}): finishing requests and deliveries in flight`,
      ),
    error: (error, id) => {
      const where = id === undefined ? '' : ` (${id})`
      const [message, stack] =
        error instanceof Error ? [error.message, error.stack] : [String(error), undefined]
      terminal.err(`${paint('dim', timeOf(wallNow()))} ${paint('red', `error${where}: ${oneLine(message)}`)}`)
      if (stack !== undefined) terminal.err(stack)
    },
  }
}

/** Delays all entries until the start text is written: requests may arrive shortly before it. */
export function readyFirst(log: Log): Log {
  let held: FeedEvent[] | null = []
  const writeHeld = () => {
    const events = held ?? []
    held = null
    for (const event of events) log.event(event)
  }
  return {
    ...log,
    ready: (facts) => {
      log.ready(facts)
      writeHeld()
    },
    // Write it at once: it may be the last entry. The delayed entries may explain it.
    error: (error, id) => {
      writeHeld()
      log.error(error, id)
    },
    event: (event) => {
      if (held === null) log.event(event)
      else held.push(event)
    },
  }
}

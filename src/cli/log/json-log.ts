import { wallNow } from '../../time/wall.ts'
import { readyRecord } from '../serve/start-text.ts'
import type { Terminal } from '../terminal.ts'
import type { Log } from './log.ts'
import { type LogRecord, recordsOf } from './records.ts'

/** The log for programs: one JSON object per line, each with `level`, `time` and `event`; errors on standard error. */
export function jsonLog(terminal: Terminal): Log {
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

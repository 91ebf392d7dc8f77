import { pino, stdTimeFunctions } from 'pino'
import { readyRecord } from '../serve/start-text.ts'
import type { Terminal } from '../terminal.ts'
import type { Log } from './log.ts'
import { type LogRecord, recordsOf } from './records.ts'

/** The log for programs: one JSON object per line, each with `level`, `time` and `event`; errors on standard error. */
export function jsonLog(terminal: Terminal): Log {
  const out = logger((line) => terminal.out(line))
  const err = logger((line) => terminal.err(line))
  return {
    ready: (facts) => {
      for (const message of facts.warnings) out.warn({ event: 'warning', message })
      for (const fixture of facts.fixtures) out.info({ event: 'fixture', ...fixture })
      out.info(readyRecord(facts))
    },
    event: (event) => {
      for (const record of recordsOf(event)) out[levelOf(record)](record)
    },
    stopping: (why) => out.info({ event: 'stopping', why }),
    error: (error, id) => {
      const { message, stack } = error instanceof Error ? error : { message: String(error), stack: undefined }
      err.error({ event: 'error', id, message, stack })
    },
  }
}

function logger(write: (line: string) => void) {
  const options = {
    base: null,
    timestamp: stdTimeFunctions.isoTime,
    formatters: { level: (level: string) => ({ level }) },
  }
  return pino(options, { write: (line) => write(line.trimEnd()) })
}

function levelOf(record: LogRecord): 'info' | 'warn' | 'error' {
  if (record.event === 'request') return record.status < 400 ? 'info' : record.status < 500 ? 'warn' : 'error'
  return record.event === 'delivery' && record.next !== 'delivered' ? 'warn' : 'info'
}

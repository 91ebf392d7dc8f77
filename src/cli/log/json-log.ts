import { readyRecord } from '../serve/start-text.ts'
import type { Terminal } from '../terminal.ts'
import { type JsonLines, jsonLines } from './json-lines.ts'
import type { Log } from './log.ts'
import { type LogRecord, recordsOf } from './records.ts'

/** The log for programs: one JSON object per line, each with `level`, `time` and `event`; errors on standard error. */
export function jsonLog(terminal: Terminal): Log {
  // Made when there is something to say: a start need not wait for it.
  let lines: Lines | undefined
  const said = () => {
    lines ??= { out: jsonLines((line) => terminal.out(line)), err: jsonLines((line) => terminal.err(line)) }
    return lines
  }
  return {
    ready: (facts) => {
      const { out } = said()
      for (const message of facts.warnings) out.warn({ event: 'warning', message })
      for (const fixture of facts.fixtures) out.info({ event: 'fixture', ...fixture })
      out.info(readyRecord(facts))
    },
    event: (event) => {
      for (const record of recordsOf(event)) said().out[levelOf(record)](record)
    },
    stopping: (why) => said().out.info({ event: 'stopping', why }),
    error: (error, id) => {
      const { message, stack } = error instanceof Error ? error : { message: String(error), stack: undefined }
      said().err.error({ event: 'error', id, message, stack })
    },
  }
}

interface Lines {
  readonly out: JsonLines
  readonly err: JsonLines
}

function levelOf(record: LogRecord): 'info' | 'warn' | 'error' {
  if (record.event === 'request') return record.status < 400 ? 'info' : record.status < 500 ? 'warn' : 'error'
  if (record.event === 'scenario') return record.problems === undefined ? 'info' : 'warn'
  return record.event === 'delivery' && record.next !== 'delivered' ? 'warn' : 'info'
}

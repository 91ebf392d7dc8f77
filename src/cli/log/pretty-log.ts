import { oneLine } from '../../domain/one-line.ts'
import { wallNow } from '../../time/wall.ts'
import { startText } from '../serve/start-text.ts'
import type { Terminal } from '../terminal.ts'
import type { Log } from './log.ts'
import { painter } from './paint.ts'
import { prettyLine, timeOf } from './pretty-line.ts'
import { recordsOf } from './records.ts'

/** The log for people: a text at the start, then a line for each thing that happens. */
export function prettyLog(terminal: Terminal, demoClientId: string): Log {
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

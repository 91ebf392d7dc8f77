import { type Logger, pino, stdTimeFunctions } from 'pino'

/** Writes objects as lines of JSON, each with its `level` and `time`. */
export type JsonLines = Pick<Logger, 'info' | 'warn' | 'error'>

/** @param write takes a line, without its end */
export function jsonLines(write: (line: string) => void): JsonLines {
  const options = {
    base: null,
    timestamp: stdTimeFunctions.isoTime,
    formatters: { level: (level: string) => ({ level }) },
  }
  return pino(options, { write: (line) => write(line.trimEnd()) })
}

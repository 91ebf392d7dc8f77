import { oneLine } from '../../domain/one-line.ts'
import type { SourceProblem } from '../../domain/yaml-source.ts'
import { painter } from '../log/paint.ts'

/** So much of a line is shown. */
const width = 100

/** A problem as people read it: where and what, the line it is in, and a caret under the place.
 *  @param text of the file that has the problem */
export function codeFrame(
  { file, line, column, message }: SourceProblem,
  text: string,
  colours: boolean,
): string {
  const paint = painter(colours)
  const head = `${paint('bold', `${oneLine(file, 300)}:${line}:${column}`)}: ${paint('red', oneLine(message, Infinity))}`
  const source = text.split(/\r?\n/)[line - 1] ?? ''
  if (source.trim() === '') return head
  // What stands far to the right is shown without its beginning.
  const from = column > width - 20 ? column - 40 : 0
  const part = printable(source.slice(from, from + width))
  const gutter = `  ${line} | `
  const caret = `${' '.repeat(gutter.length - 2)}| ${' '.repeat(Math.max(0, column - 1 - from))}^`
  return `${head}\n${paint('dim', gutter)}${part}\n${paint('dim', caret.slice(0, -1))}${paint('red', '^')}`
}

/** One column each, so that the caret stands right. */
const printable = (source: string): string => source.replaceAll(/[\p{Cc}\p{Cf}]/gu, ' ')

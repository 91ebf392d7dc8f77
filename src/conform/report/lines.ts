import { oneLine } from '../../domain/text/issue-words.ts'
import type { ConfigurationProblem, Verdict } from '../report.ts'
import type { Look, TextStyle } from './terminal-style.ts'

/** The colour of each verdict; the word alone is enough to read it. */
export const verdictLook: Readonly<Record<Verdict, Look>> = {
  PASS: 'green',
  FAIL: ['bold', 'red'],
  WARN: 'yellow',
  'NOT-SEEN': 'dim',
}

/** The lines of an external text, with control characters escaped. */
export const plainLines = (text: string): string[] => text.split('\n').map((line) => plainLine(line))

/** Returns an external text as one line without control characters. */
export const plainLine = (text: string): string => oneLine(text, Infinity)

/** Minimum width of wrapped lines, in characters. */
const leastCharacters = 24

/** Breaks words into lines; longer words stay whole, so that they can be copied.
 *  @param characters in a line; null: no limit */
export function wrapped(words: string, characters: number | null): string[] {
  if (characters === null) return [words]
  const most = Math.max(characters, leastCharacters)
  const lines: string[] = []
  for (const word of words.split(' ')) {
    const last = lines.pop()
    if (last === undefined) lines.push(word)
    else if (last.length + 1 + word.length > most) lines.push(last, word)
    else lines.push(`${last} ${word}`)
  }
  return lines
}

/** Formats words after a label, with further lines indented. */
export function hanging(label: string, words: string, columns: number | null): string[] {
  const room = columns === null ? null : columns - label.length
  return wrapped(words, room).map((line, n) => (n === 0 ? label : ' '.repeat(label.length)) + line)
}

/** Formats words in lines of one look. */
export const dressed = (look: Look, words: string, { columns, palette }: TextStyle): string =>
  wrapped(words, columns)
    .map((line) => palette(look, line))
    .join('\n')

/** Formats the point of a list. */
export const listed = (words: string, columns: number | null): string[] =>
  hanging('  - ', plainLine(words), columns)

/** Formats the problems of a configuration under a headline; empty without one. */
export const problemsText = (
  headline: string | null,
  problems: readonly ConfigurationProblem[],
  style: TextStyle,
): string =>
  headline === null
    ? ''
    : [
        dressed(['bold', 'red'], headline, style),
        ...problems.flatMap(({ member, message }) => listed(`${member}: ${message}`, style.columns)),
      ].join('\n')

import { styleText } from 'node:util'
import { oneLine } from '../../domain/text/issue-words.ts'
import type { Verdict } from '../report.ts'

type Look = Parameters<typeof styleText>[0]

/** Dresses words for a terminal, or leaves them as they are. */
export type Palette = (look: Look, words: string) => string

/** How words are dressed where colours are wanted, and where they are not. */
export const paletteOf = (colours: boolean): Palette =>
  colours ? (look, words) => styleText(look, words, { validateStream: false }) : (_, words) => words

/** A verdict can be told by its word alone; the colour helps to find it. */
export const verdictLook: Readonly<Record<Verdict, Look>> = {
  PASS: 'green',
  FAIL: ['bold', 'red'],
  WARN: 'yellow',
  'NOT-SEEN': 'dim',
}

/** The lines of a text from outside. Nothing in them steers a terminal or is unseen: it is written out. */
export const plainLines = (text: string): string[] => text.split('\n').map((line) => plainLine(line))

/** A text from outside in one line, however long. */
export const plainLine = (text: string): string => oneLine(text, Infinity)

/** In less room than this nothing reads well. */
const leastCharacters = 24

/** Words broken into lines. What is longer than a line is left to the terminal, so that it can be copied whole.
 *  @param characters that fit into a line; null where lines have no end */
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

/** Words behind a label, each further line under the first. */
export function hanging(label: string, words: string, columns: number | null): string[] {
  const room = columns === null ? null : columns - label.length
  return wrapped(words, room).map((line, n) => (n === 0 ? label : ' '.repeat(label.length)) + line)
}

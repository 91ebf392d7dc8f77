import { oneLine } from './issue-words.ts'

/** Estimates the width of a text in pixels, at a font size of 11.5 pixels and on the safe side: fonts differ, capitals
 *  are wide, and Chinese characters and emoji wider.
 *  @param bold how much wider each character is */
export const textWidth = (text: string, bold = 0): number =>
  [...text].reduce((width, character) => width + widthOf(character) + bold, 0)

function widthOf(character: string): number {
  if (/[a-z\d .,:;'"!|()/-]/.test(character)) return 7
  return character < '\u1100' ? 8.6 : 13
}

/** Shortens a text, and breaks it into lines. Long words are broken too, and control characters are written out.
 *  @param lines the maximum number of lines
 *  @param width the maximum width of a line, in pixels as of `textWidth` */
export function textLines(text: string, { lines, width }: { lines: number; width: number }): string[] {
  const broken: string[] = []
  let line = ''
  const end = () => {
    if (line !== '') broken.push(line.trimEnd())
    line = ''
  }
  for (const word of oneLine(text).match(/\S+\s*/g) ?? []) {
    if (textWidth(line + word.trimEnd()) > width) end()
    for (const character of word.replaceAll(/\s+/g, ' ')) {
      if (character !== ' ' && textWidth(line + character) > width) end()
      line += character
    }
    if (broken.length > lines) break
  }
  end()
  if (broken.length <= lines) return broken.length === 0 ? ['(empty)'] : broken
  let last = [...(broken[lines - 1] ?? '')]
  while (textWidth(last.join('')) + widthOf('…') > width) last = last.slice(0, -1)
  return [...broken.slice(0, lines - 1), `${last.join('')}…`]
}

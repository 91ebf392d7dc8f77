import { oneLine } from '../text/issue-words.ts'

/** Shortens a text, and breaks it into lines. Long words are broken too, and control characters are written out.
 *  @param lines the maximum number of lines
 *  @param width the maximum number of characters in a line */
export function textLines(text: string, { lines, width }: { lines: number; width: number }): string[] {
  const broken: string[] = []
  let line: string[] = []
  const end = () => {
    if (line.length > 0) broken.push(line.join('').trimEnd())
    line = []
  }
  for (const word of oneLine(text).match(/\S+\s*/g) ?? []) {
    const characters = [...word.replaceAll(/\s+/g, ' ')]
    if (line.length + word.trimEnd().length > width) end()
    for (const character of characters) {
      if (line.length >= width && character !== ' ') end()
      line.push(character)
    }
    if (broken.length > lines) break
  }
  end()
  if (broken.length <= lines) return broken.length === 0 ? ['(empty)'] : broken
  const last = [...(broken[lines - 1] ?? '')].slice(0, width - 1).join('')
  return [...broken.slice(0, lines - 1), `${last}…`]
}

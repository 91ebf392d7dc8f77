import { stripVTControlCharacters } from 'node:util'

/** Under the words of a line, not under its time. */
export const indent = ' '.repeat(13)
/** In less room than this nothing reads well. */
const leastColumns = 40

/** A line broken between words where a terminal would break it anywhere; what is longer than a line is left to the
 *  terminal. @param columns characters in a line; null where lines have no end */
export function wrapped(line: string, columns: number | null): string {
  if (columns === null || columns < leastColumns) return line
  return line
    .split('\n')
    .map((each) => (widthOf(each) > columns ? broken(each, columns) : each))
    .join('\n')
}

function broken(line: string, columns: number): string {
  const [first = '', ...words] = line.split(' ')
  const lines = [first]
  let width = widthOf(first)
  for (const word of words) {
    const more = widthOf(word)
    if (width + 1 + more > columns && width > indent.length) {
      lines.push(`${indent}${word}`)
      width = indent.length + more
    } else {
      lines.push(`${lines.pop()} ${word}`)
      width += 1 + more
    }
  }
  return lines.join('\n')
}

const widthOf = (text: string): number => stripVTControlCharacters(text).length

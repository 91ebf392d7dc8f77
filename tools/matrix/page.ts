import { readFileSync, writeFileSync } from 'node:fs'

const name = 'test/conform/matrix/matrix.md'
const page = new URL(`../../${name}`, import.meta.url)

/** A table in Markdown. The second of its rows says how its columns are aligned. */
export const tableOf = (rows: readonly (readonly string[])[]): string =>
  rows.map((cells) => `| ${cells.join(' | ')} |`).join('\n')

/** The rows of the table that a command has written into the page, each by its first cell. */
export function writtenRows(command: string): Map<string, readonly string[]> {
  const text = readFileSync(page, 'utf8')
  const [from, to] = placeOf(command, text)
  const lines = text
    .slice(from, to)
    .split('\n')
    .filter((line) => line.startsWith('| '))
  const rows = lines.slice(2).map((line) => line.slice(2, -2).split(' | '))
  return new Map(rows.map((cells) => [cells[0] ?? '', cells]))
}

/** Writes a table into the page of the matrix, between the marks of the command that makes it.
 *  @throws Error if the marks are gone */
export function writeTable(command: string, table: string): void {
  const text = readFileSync(page, 'utf8')
  const [from, to] = placeOf(command, text)
  writeFileSync(page, `${text.slice(0, from)}\n\n${table}\n\n${text.slice(to)}`)
}

/** Where the table of a command begins and ends. */
function placeOf(command: string, text: string): [number, number] {
  const begin = `<!-- Written by ${command}. -->`
  const end = `<!-- End of what is written by ${command}. -->`
  const [from, to] = [text.indexOf(begin), text.indexOf(end)]
  if (from < 0 || to < from) throw new Error(`${name} has no ${begin} and ${end}`)
  return [from + begin.length, to]
}

/** Leaves no application behind when the command is ended: what runs is ended when this process exits. */
export function exitOnSignals(): void {
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(130))
}

/** Prints how the run of an application has ended: a line, one more for each mistake, and the end of what the
 *  application has written, if there are any. */
export function printEnd(line: string, mistakes: readonly string[], log: string): void {
  console.log(`${mistakes.length === 0 ? 'ok   ' : 'WRONG'} ${line}`)
  for (const mistake of mistakes) console.log(`      ${mistake}`)
  if (mistakes.length > 0 && log !== '')
    console.log(log.trimEnd().slice(-2_000).replaceAll(/^/gm, '      | '))
}

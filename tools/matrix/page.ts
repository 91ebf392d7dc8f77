import { readFileSync, writeFileSync } from 'node:fs'

const name = 'test/conform/matrix/matrix.md'
const page = new URL(`../../${name}`, import.meta.url)

/** A table in Markdown. The second of its rows says how its columns are aligned. */
export const tableOf = (rows: readonly (readonly string[])[]): string =>
  rows.map((cells) => `| ${cells.join(' | ')} |`).join('\n')

/** Writes a table into the page of the matrix, between the marks of the command that makes it.
 *  @throws Error if the marks are gone */
export function writeTable(command: string, table: string): void {
  const begin = `<!-- Written by ${command}. -->`
  const end = `<!-- End of what is written by ${command}. -->`
  const text = readFileSync(page, 'utf8')
  const [from, to] = [text.indexOf(begin), text.indexOf(end)]
  if (from < 0 || to < from) throw new Error(`${name} has no ${begin} and ${end}`)
  writeFileSync(page, `${text.slice(0, from + begin.length)}\n\n${table}\n\n${text.slice(to)}`)
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

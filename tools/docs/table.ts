/** A Markdown table. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |\n`
  return `${line(head)}|${'---|'.repeat(head.length)}\n${rows.map(line).join('')}`
}

/** A table for each section, under its heading.
 *  @param headings the headings, each before the row with which its section begins
 *  @param level the marks of the headings */
export function sections<Row>(
  rows: readonly Row[],
  keyOf: (row: Row) => string,
  headings: Readonly<Record<string, string>>,
  tableOf: (rows: readonly Row[]) => string,
  level = '##',
): string {
  const found: { heading: string; rows: Row[] }[] = []
  for (const row of rows) {
    const heading = headings[keyOf(row)]
    if (heading !== undefined) found.push({ heading, rows: [] })
    found.at(-1)?.rows.push(row)
  }
  return found.map((section) => `\n${level} ${section.heading}\n\n${tableOf(section.rows)}`).join('')
}

/** A table in Markdown. Rows that are too short are filled up. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const full = rows.map((cells) => head.map((_, column) => cells[column] ?? ''))
  return [head, head.map(() => '---'), ...full].map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}

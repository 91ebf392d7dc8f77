import type { Outcome, Result } from './section.ts'
import { mustOf, verdictOf } from './verdict.ts'

const head = ['goal', 'what', 'result', 'unit', 'spread', 'aim', 'must', 'ok', 'figures']
const textColumns = new Set(['what', 'unit', 'ok', 'figures'])

/** The results as aligned lines of text. */
export function textTable(outcomes: readonly Outcome[]): string {
  const lines = [head, ...outcomes.flatMap(rowsOf)]
  const widths = head.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)))
  const aligned = (cell: string, column: number) => {
    const width = widths[column] ?? 0
    return textColumns.has(head[column] ?? '') ? cell.padEnd(width) : cell.padStart(width)
  }
  return lines.map((line) => line.map(aligned).join('  ').trimEnd()).join('\n')
}

/** The results of one section as a Markdown table. */
export function markdownTable(outcome: Outcome): string {
  const rule = head.map((name) => (textColumns.has(name) ? '---' : '---:'))
  return [head, rule, ...rowsOf(outcome)].map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}

function rowsOf({ section, results, paceMs, failure }: Outcome): string[][] {
  const goal = String(section.goal ?? '')
  const rows = results.map((result) => [goal, ...cellsOf(result, paceMs)])
  if (failure !== undefined) rows.push([goal, section.name, '', '', '', '', '', 'FAILED', failure])
  return rows
}

function cellsOf(result: Result, paceMs: readonly number[]): string[] {
  const { name, value, unit, spread, goal, note = '' } = result
  return [
    name,
    figure(value),
    unit,
    spread === null ? '' : `${Math.round(spread * 100)} %`,
    goal === undefined ? '' : figure(goal.aim),
    goal === undefined ? '' : figure(mustOf(goal)),
    verdictOf(result, paceMs) ?? '',
    note,
  ]
}

/** Three digits, or all that stand before the point. */
export const figure = (value: number): string =>
  value >= 100
    ? Math.round(value).toLocaleString('en')
    : value.toLocaleString('en', { maximumSignificantDigits: 3 })

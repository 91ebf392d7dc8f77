import { availableParallelism, cpus, totalmem } from 'node:os'
import { type Goal, goals } from '../goals.ts'
import type { Figure, Outcome } from './section.ts'
import { median, spread } from './statistics.ts'
import { verdictOf } from './verdict.ts'

const introduction = `# Results of the bench

The latest run of each command, on one machine at one time. [README.md](README.md) says how to read it.
`

/** The page with a new block in place of the one with the same heading.
 *  @param before the page so far, or an empty text */
export function pageWith(before: string, heading: string, block: string): string {
  const old = before.split(/^(?=## )/m).slice(1)
  const place = old.findIndex((each) => each.startsWith(`## ${heading}\n`))
  const blocks = old.toSpliced(place === -1 ? old.length : place, 1, `## ${heading}\n\n${block}\n`)
  return [introduction, ...blocks.map((each) => `${each.trimEnd()}\n`)].join('\n')
}

/** Date, machine and Node in one line. */
export function machineLine(date: Date): string {
  const processor = cpus()[0]?.model.trim() ?? 'an unknown processor'
  const memory = `${Math.round(totalmem() / 2 ** 30)} GB`
  const day = date.toISOString().slice(0, 10)
  return `${day}, ${availableParallelism()} cores of ${processor}, ${memory}, Node ${process.versions.node}.`
}

const head = ['row', 'what', 'result', 'unit', 'spread', 'aim', 'must', 'ok', 'figures']

/** All results as a Markdown table, its columns aligned for the terminal. */
export function tableOf(outcomes: readonly Outcome[]): string {
  const rows = outcomes.flatMap(({ section, figures, failure }) =>
    failure === undefined
      ? figures.map(cellsOf)
      : [['', section, '', '', '', '', '', 'FAILED', failure.replaceAll(/\s*[|\n]\s*/g, ' ')]],
  )
  const widths = head.map((name, column) =>
    Math.max(3, name.length, ...rows.map((row) => row[column]?.length ?? 0)),
  )
  const rule = widths.map((width) => '-'.repeat(width))
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`
  return [head, rule, ...rows].map(line).join('\n')
}

function cellsOf(measured: Figure): string[] {
  const { goal: name, values, note = '' } = measured
  const { row, unit, aim, must }: Goal = goals[name]
  return [
    ...[row, name, figure(median(values)), unit],
    values.length > 1 ? `${Math.round(spread(values) * 100)} %` : '',
    ...[figure(aim), must === null ? '' : figure(must), verdictOf(measured), note],
  ]
}

/** Three digits, or all that stand before the point. */
export const figure = (value: number): string =>
  value >= 100
    ? Math.round(value).toLocaleString('en')
    : value.toLocaleString('en', { maximumSignificantDigits: 3 })

import { hanging, plainLine, verdictLook, wrapped } from '../../report/lines.ts'
import type { TerminalStyle } from '../../report/terminal-report.ts'
import { type Paint, painter } from '../../report/terminal-style.ts'
import type { StoryReport, StoryResult } from './report.ts'
import { factsOf, problemHeadline, remarkOn, sawNothing, stepsOf, summaryOf } from './summary.ts'

interface Style {
  /** Characters in a line; null: no limit. */
  readonly columns: number | null
  readonly paint: Paint
}

/** Formats the report for a terminal: a row for each story, an explanation of each failure, and a summary. */
export function storyTerminalReport(report: StoryReport, { colours, columns }: TerminalStyle): string {
  const style = { columns, paint: painter(colours) }
  const { stories } = report
  return [
    problemsText(report, style),
    stories.map((result) => rowText(result, style)).join('\n'),
    ...stories.filter(({ broken }) => broken !== null).map((result) => explained(result, style)),
    closing(report, style),
  ]
    .filter((part) => part !== '')
    .join('\n\n')
}

function problemsText(report: StoryReport, { columns, paint }: Style): string {
  const headline = problemHeadline(report)
  if (headline === null) return ''
  return [
    ...wrapped(headline, columns).map((line) => paint(['bold', 'red'], line)),
    ...report.problems.flatMap(({ member, message }) =>
      hanging('  - ', plainLine(`${member}: ${message}`), columns),
    ),
  ].join('\n')
}

function rowText(result: StoryResult, { columns, paint }: Style): string {
  const { verdict, name } = result
  const margin = ' '.repeat('NOT-SEEN  '.length)
  return [
    `${paint(verdictLook[verdict], verdict.padEnd(8))}  ${plainLine(name)}`,
    ...hanging(margin, remarkOn(result), columns).map((line) => paint('dim', line)),
  ].join('\n')
}

function explained(result: StoryResult, style: Style): string {
  const { columns, paint } = style
  const { name, broken, again } = result
  if (broken === null) return ''
  const headline = `${plainLine(name)}: ${broken.title}`
  return [
    wrapped(headline, columns)
      .map((line) => paint(['bold', 'red'], line))
      .join('\n'),
    stepsText(result, style),
    factsOf(result)
      .flatMap(([label, words]) => hanging(`  ${label.padEnd(16)}`, words, columns))
      .join('\n'),
    ...(again === null ? [] : [`${paint('bold', 'Play only this story again:')}\n${again}`]),
  ].join('\n\n')
}

function stepsText(result: StoryResult, { columns, paint }: Style): string {
  const steps = stepsOf(result)
  const digits = String(steps.length).length
  return steps
    .flatMap(({ act, seen }, index) => {
      const label = `  ${String(index + 1).padStart(digits)}. `
      const what = seen === '' ? [] : hanging(' '.repeat(label.length + 2), seen, columns)
      return [...hanging(label, act, columns), ...what.map((line) => paint('dim', line))]
    })
    .join('\n')
}

function closing(report: StoryReport, { columns, paint }: Style): string {
  const look = report.ok ? 'green' : sawNothing(report.stories) ? 'yellow' : 'red'
  return wrapped(summaryOf(report), columns)
    .map((line) => paint(['bold', look], line))
    .join('\n')
}

/** Formats a failed story for a message, without colours and line breaks of its own. */
export const storyInText = (result: StoryResult): string =>
  explained(result, { columns: null, paint: painter(false) })

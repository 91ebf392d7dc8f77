import { dressed, hanging, plainLine, problemsText, verdictLook } from '../../report/lines.ts'
import { factsText } from '../../report/terminal-report.ts'
import { plainStyle, type TerminalStyle, type TextStyle, textStyle } from '../../report/terminal-style.ts'
import type { StoryReport, StoryResult } from './report.ts'
import { factsOf, problemHeadline, remarkOn, sawNothing, stepsOf, summaryOf } from './summary.ts'

/** Formats the report for a terminal: a row for each story, an explanation of each failure, and a summary. */
export function storyTerminalReport(report: StoryReport, terminal: TerminalStyle): string {
  const style = textStyle(terminal)
  const { ok, problems, stories } = report
  const look = ok ? 'green' : sawNothing(stories) ? 'yellow' : 'red'
  return [
    problemsText(problemHeadline(report), problems, style),
    stories.map((result) => rowText(result, style)).join('\n'),
    ...stories.map((result) => explained(result, style)),
    dressed(['bold', look], summaryOf(report), style),
  ]
    .filter((part) => part !== '')
    .join('\n\n')
}

/** Formats a failed story for a message, without colours and line breaks of its own. */
export const storyInText = (result: StoryResult): string => explained(result, plainStyle)

function rowText(result: StoryResult, { columns, palette }: TextStyle): string {
  const { verdict, name } = result
  const margin = ' '.repeat('NOT-SEEN  '.length)
  return [
    `${palette(verdictLook[verdict], verdict.padEnd(8))}  ${plainLine(name)}`,
    ...hanging(margin, remarkOn(result), columns).map((line) => palette('dim', line)),
  ].join('\n')
}

/** Formats a failed story; empty for another one. */
function explained(result: StoryResult, style: TextStyle): string {
  const { name, broken, again } = result
  if (broken === null) return ''
  return [
    dressed(['bold', 'red'], `${plainLine(name)}: ${broken.title}`, style),
    stepsText(result, style),
    factsText(factsOf(result), style),
    ...(again === null ? [] : [`${style.palette('bold', 'Play only this story again:')}\n${again}`]),
  ].join('\n\n')
}

function stepsText(result: StoryResult, { columns, palette }: TextStyle): string {
  const steps = stepsOf(result)
  const digits = String(steps.length).length
  return steps
    .flatMap(({ act, seen }, index) => {
      const label = `  ${String(index + 1).padStart(digits)}. `
      const what = seen === '' ? [] : hanging(' '.repeat(label.length + 2), seen, columns)
      return [...hanging(label, act, columns), ...what.map((line) => palette('dim', line))]
    })
    .join('\n')
}

import {
  dressed,
  hanging,
  listed,
  plainLine,
  problemsText,
  verdictLook,
  wrapped,
} from '../../report/lines.ts'
import { plainStyle, type TerminalStyle, type TextStyle, textStyle } from '../../report/terminal-style.ts'
import type { ExploreReport, FoundStory } from '../report.ts'
import {
  extentOf,
  labelOf,
  lastStoriesTitle,
  lastStoryLines,
  leftOutLines,
  leftOutTitle,
  originOf,
  problemHeadline,
  resultOf,
  stepRows,
} from './words.ts'

/** Formats the report of a search for a terminal: how much was searched, each find, and the result. */
export function terminalReport(report: ExploreReport, terminal: TerminalStyle): string {
  const style = textStyle(terminal)
  return [
    dressed('bold', extentOf(report), style),
    problemsText(problemHeadline(report), report.problems, style),
    ...report.found.map((found) => foundText(found, style)),
    stoppedText(report, style),
    leftOutText(report, style),
    resultText(report, style),
  ]
    .filter((part) => part !== '')
    .join('\n\n')
}

/** Formats finds for a message or file, without colours and line breaks. */
export const foundInText = (found: readonly FoundStory[]): string =>
  found.map((each) => foundText(each, plainStyle)).join('\n\n')

const margin = ' '.repeat('FOUND  '.length)

function foundText(found: FoundStory, style: TextStyle): string {
  const { title, did, should, why, file, again } = found
  const { columns, palette } = style
  const lines = (words: string) => hanging(margin, plainLine(words), columns)
  const labelled = (label: string, words: string) =>
    hanging(`${margin}${label.padEnd(8)}`, plainLine(words), columns)
  return [
    ...hanging(`${labelOf(found).padEnd(6)} `, plainLine(title), columns).map((line) =>
      palette(found.seldom ? verdictLook.WARN : verdictLook.FAIL, line),
    ),
    ...lines(originOf(found)).map((line) => palette('dim', line)),
    ...stepLines(found, style),
    ...lines(did).map((line) => palette('bold', line)),
    ...labelled('should', should),
    ...labelled('why', why),
    ...(file === null ? [] : labelled('kept as', file)),
    // Not wrapped, so that it can be copied.
    ...(again === null ? [] : [`${margin}again   ${plainLine(again)}`]),
  ].join('\n')
}

/** The width of the acts, beside which stands what was seen. */
const mostActCharacters = 34
/** The least room for what was seen. */
const leastSeenCharacters = 24

function stepLines(found: FoundStory, { columns }: TextStyle): string[] {
  const rows = stepRows(found).map((row) => ({
    ...row,
    label: `${margin}${row.number === '' ? '   ' : `${row.number}.`.padEnd(3)}${row.act}`,
  }))
  const most = margin.length + 3 + mostActCharacters
  const width = Math.max(...rows.map(({ label }) => label.length).filter((length) => length <= most), 0)
  const isBeside = columns === null || columns - width - 2 >= leastSeenCharacters
  return rows.flatMap(({ number, act, label, seen }) => {
    if (seen !== '' && isBeside && label.length <= width)
      return hanging(`${label.padEnd(width)}  `, seen, columns)
    const indent = ' '.repeat(margin.length + 3)
    const start = `${margin}${number === '' ? '' : `${number}.`}`.padEnd(indent.length)
    return [...hanging(start, act, columns), ...(seen === '' ? [] : hanging(`${indent}  `, seen, columns))]
  })
}

function leftOutText(report: ExploreReport, { columns, palette }: TextStyle): string {
  const lines = leftOutLines(report)
  if (lines.length === 0) return ''
  return [palette('bold', `${leftOutTitle}:`), ...lines.flatMap((line) => listed(line, columns))].join('\n')
}

function stoppedText(report: ExploreReport, { columns, palette }: TextStyle): string {
  const { stopped } = report
  if (stopped === null) return ''
  const stories = lastStoryLines(report)
  return [
    ...hanging('STOPPED  ', plainLine(stopped.why), columns).map((line) => palette(verdictLook.FAIL, line)),
    ...(stories.length === 0 ? [] : wrapped(lastStoriesTitle, columns)),
    ...stories.flatMap((line) => listed(line, columns)),
  ].join('\n')
}

function resultText(report: ExploreReport, style: TextStyle): string {
  // The problems say it already.
  if (report.problems.length > 0 && report.stories === 0) return ''
  const colour = !report.ok ? 'red' : report.found.length > 0 || report.stories === 0 ? 'yellow' : 'green'
  return dressed(['bold', colour], resultOf(report), style)
}

import type { CaseResult, ConformReport } from '../report.ts'
import { explanationOf } from './explanation.ts'
import { explanationText, type TextStyle } from './explanation-text.ts'
import { hanging, plainLine, wrapped } from './lines.ts'
import { paletteOf, verdictLook } from './palette.ts'
import { problemHeadline } from './problem-words.ts'
import { inOrder, littleSeen, nextStepOf, remarkOn, summaryOf } from './summary.ts'

/** How a report is written for a terminal. */
export interface TerminalStyle {
  readonly colours: boolean
  /** Characters in a line; null where lines have no end, as in the log of a CI job. */
  readonly columns: number | null
}

/** Of a body, a terminal shows so much. */
const bodyCharacters = 2_000

/** A report as a page of text: a row for each case, an explanation of each failure, what came of it all. */
export function terminalReport(report: ConformReport, { colours, columns }: TerminalStyle): string {
  const style: TextStyle = { columns, palette: paletteOf(colours) }
  const cases = inOrder(report.cases)
  return [
    problemsText(report, style),
    cases.map((result) => rowText(result, style)).join('\n'),
    ...cases.filter((result) => isExplained(result, cases)).map((result) => explained(result, style)),
    closing(report, style),
  ]
    .filter((part) => part !== '')
    .join('\n\n')
}

function problemsText(report: ConformReport, { columns, palette }: TextStyle): string {
  const headline = problemHeadline(report)
  if (headline === null) return ''
  return [
    ...wrapped(headline, columns).map((line) => palette(['bold', 'red'], line)),
    ...report.problems.flatMap(({ member, message }) => {
      const [first = '', ...more] = hanging('    ', plainLine(`${member}: ${message}`), columns)
      return [`  - ${first.slice(4)}`, ...more]
    }),
  ].join('\n')
}

function rowText(result: CaseResult, { columns, palette }: TextStyle): string {
  const { id, level, verdict, title } = result
  const before = `${id}  ${level.padEnd(6)}  `
  const margin = ' '.repeat(before.length + 'NOT-SEEN  '.length)
  const [first = '', ...more] = hanging(margin, title, columns)
  const dressed = palette(verdictLook[verdict], verdict.padEnd(8))
  const remark = verdict === 'PASS' ? [] : hanging(margin, plainLine(remarkOn(result)), columns)
  return [
    `${before}${dressed}  ${first.trimStart()}`,
    ...more,
    ...remark.map((line) => palette('dim', line)),
  ].join('\n')
}

/** Failures; and what was run alone, whatever came of it. */
const isExplained = ({ verdict }: CaseResult, cases: readonly CaseResult[]): boolean =>
  verdict === 'FAIL' || cases.length === 1

function explained(result: CaseResult, style: TextStyle): string {
  if (result.finding === null) return ''
  return explanationText(explanationOf(result, result.finding, bodyCharacters), style)
}

function closing(report: ConformReport, { columns, palette }: TextStyle): string {
  const nextStep = nextStepOf(report.cases)
  const colour = littleSeen(report) === null ? 'green' : 'yellow'
  return [
    ...wrapped(summaryOf(report), columns).map((line) => palette(['bold', report.ok ? colour : 'red'], line)),
    ...(nextStep === null ? [] : wrapped(nextStep, columns)),
    ...warningHint(report.cases),
  ].join('\n')
}

/** Warnings have a line each; how to have one explained. */
function warningHint(cases: readonly CaseResult[]): string[] {
  const [warning] = inOrder(cases).filter(({ verdict }) => verdict === 'WARN')
  if (warning?.finding == null || cases.length === 1) return []
  return ['To see a warning in full, run:', warning.finding.repeat]
}

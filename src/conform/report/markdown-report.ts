import { codeBlock, markdownText } from '../../domain/text/markdown.ts'
import type { CaseResult, ConformReport, Verdict } from '../report.ts'
import { plainLine } from './lines.ts'
import { inOrder, nextStepOf, problemHeadline, remarkOn, summaryOf } from './summary.ts'
import { explainedInText, hintsInText } from './terminal-report.ts'

/** Maximum length of a body: GitHub refuses a job summary of more than a megabyte. */
const bodyCharacters = 1_000
/** Maximum number of failures that are explained in full. */
const mostExplained = 20

/** The mark of each verdict. */
export const verdictMark: Readonly<Record<Verdict, string>> = {
  FAIL: '❌',
  WARN: '⚠️',
  PASS: '✅',
  'NOT-SEEN': '➖',
}

/** Formats the report as Markdown for the summary of a CI job: each failure with its explanation, folded, then a table
 *  of all cases. Texts of the application cannot become markup. */
export function markdownReport(report: ConformReport): string {
  const cases = inOrder(report.cases)
  const failed = cases.filter(({ verdict }) => verdict === 'FAIL')
  const shown = failed.slice(0, mostExplained)
  const hints = hintsInText(shown)
  const nextStep = nextStepOf(report.cases)
  const parts = [
    `## conform: ${shownText(summaryOf(report))}`,
    ...problemsText(report),
    ...shown.map(failureText),
    ...(failed.length > shown.length ? [`${failed.length - shown.length} more failed: see the table.`] : []),
    ...(hints === '' ? [] : [codeBlock(hints)]),
    ...(cases.length === 0 ? [] : [tableOf(cases)]),
    ...(nextStep === null ? [] : [nextStep]),
  ]
  return `${parts.join('\n\n')}\n`
}

/** Escapes an external text for one line of Markdown. */
export const shownText = (text: string): string => markdownText(plainLine(text))

function problemsText(report: ConformReport): string[] {
  const headline = problemHeadline(report)
  if (headline === null) return []
  const items = report.problems.map(
    ({ member, message }) => `- **${shownText(member)}**: ${shownText(message)}`,
  )
  return [`❌ ${headline}`, items.join('\n')]
}

function failureText(result: CaseResult): string {
  const { id, title, finding } = result
  const facts =
    finding === null
      ? []
      : [`**It did:** ${shownText(finding.did)}`, `**It should:** ${shownText(finding.should)}`]
  return [
    `### ${verdictMark.FAIL} ${id} ${shownText(title)}`,
    ...facts,
    // The empty line after `summary` lets the code block be Markdown again.
    `<details><summary>The whole finding</summary>\n\n${codeBlock(explainedInText(result, bodyCharacters))}\n\n</details>`,
  ].join('\n\n')
}

const tableOf = (cases: readonly CaseResult[]): string =>
  ['| test case | level | result | |', '|---|---|---|---|', ...cases.map(rowOf)].join('\n')

function rowOf(result: CaseResult): string {
  const { id, title, level, verdict } = result
  const remark = verdict === 'PASS' ? '' : shownText(remarkOn(result))
  return `| ${id} ${shownText(title)} | ${level} | ${verdictMark[verdict]} ${verdict} | ${remark} |`
}

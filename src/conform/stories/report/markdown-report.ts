import { codeBlock } from '../../../domain/text/markdown.ts'
import { shownText, verdictMark } from '../../report/markdown-report.ts'
import type { StoryReport } from './report.ts'
import { problemHeadline, remarkOn, summaryOf } from './summary.ts'
import { storyInText } from './terminal-report.ts'

/** Maximum number of failures that are explained in full. */
const mostExplained = 20

/** Formats the report as Markdown for the summary of a CI job. Texts of the application cannot become markup. */
export function storyMarkdownReport(report: StoryReport): string {
  const { stories, problems } = report
  const headline = problemHeadline(report)
  const broken = stories.filter((result) => result.broken !== null).slice(0, mostExplained)
  const rows = stories.map(
    (result) =>
      `| ${shownText(result.name)} | ${verdictMark[result.verdict]} ${result.verdict} | ${shownText(remarkOn(result))} |`,
  )
  const parts = [
    `## conform --story: ${shownText(summaryOf(report))}`,
    ...(headline === null ? [] : [`❌ ${headline}`]),
    ...problems.map(({ member, message }) => `- **${shownText(member)}**: ${shownText(message)}`),
    ...broken.map((result) => codeBlock(storyInText(result))),
    ...(rows.length === 0 ? [] : [['| story | result | |', '|---|---|---|', ...rows].join('\n')]),
  ]
  return `${parts.join('\n\n')}\n`
}

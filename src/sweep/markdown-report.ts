import type { BehaviourResult, SweepReport } from './report.ts'
import { detailsOf, summaryOf } from './report-words.ts'

const marks = {
  BROKE: '❌',
  waited: '⏳',
  'gave up': '🛑',
  survived: '✅',
  'not met': '➖',
  flaky: '🎲',
  skipped: '⏭️',
} as const

/** A report as Markdown, for the summary of a CI job. */
export function markdownReport(report: SweepReport): string {
  const red = report.results.filter(({ outcome }) =>
    ['BROKE', 'waited', 'gave up', 'flaky'].includes(outcome),
  )
  return [
    `## Sweep: ${summaryOf(report)}`,
    '',
    `\`${report.command.join(' ').replaceAll('`', "'")}\`, seed \`${report.seed}\``,
    '',
    ...red.flatMap(section),
    '| behaviour | result | the service … |',
    '|---|---|---|',
    ...report.results.map(
      (result) => `| ${result.name} | ${marks[result.outcome]} ${result.outcome} | ${cell(does(result))} |`,
    ),
    '',
  ].join('\n')
}

const does = ({ does: words, reason }: BehaviourResult): string =>
  reason === undefined ? words : `${words} (${reason})`

const section = (result: BehaviourResult): string[] => [
  `### ${marks[result.outcome]} ${result.name}: the service ${result.does}`,
  '',
  '```text',
  ...detailsOf(result).map((line) => line.replaceAll('```', "'''")),
  '```',
  '',
]

const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('\n', ' ')

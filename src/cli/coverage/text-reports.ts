import { painter } from '../../conform/report/terminal-style.ts'
import {
  type CoverageReport,
  type HazardMet,
  missingHazards,
  percentLine,
  sectionsOf,
} from '../../domain/coverage/report.ts'

const nameWidth = 28
const titleWidth = 18

/** Formats the report for a terminal. */
export function terminalText(report: CoverageReport, colours: boolean): string {
  const paint = painter(colours)
  const { losingMoney, others } = missingHazards(report)
  const listed = (title: string, missing: readonly HazardMet[]) =>
    missing.length === 0 ? [] : [paint('bold', title), ...missing.flatMap(hazardLines), '']
  const met = report.hazards.filter((hazard) => hazard.met > 0)
  return [
    ...listed('Not met, and mishandling it loses money:', losingMoney),
    ...listed('Not met:', others),
    sumLine('Hazards', met.length, report.hazards.length, []),
    ...sectionsOf(report).map(({ title, met: n, of, missing }) => sumLine(title, n, of, missing)),
    '',
    paint('bold', percentLine(report)),
  ].join('\n')
}

const hazardLines = ({ name, does, bring }: HazardMet): string[] => [
  `  ${name.padEnd(nameWidth)}the service ${does}`,
  `  ${' '.repeat(nameWidth)}${bring}`,
]

function sumLine(title: string, met: number, of: number, missing: readonly string[]): string {
  const lacking = missing.length === 0 ? '' : `, not met: ${missing.join(', ')}`
  return `${title.padEnd(titleWidth)}${met} of ${of}${lacking}`
}

/** Formats the report as Markdown, for the summary of a CI job. */
export function markdownText(report: CoverageReport): string {
  const { losingMoney, others } = missingHazards(report)
  const hazardsMet = report.hazards.length - losingMoney.length - others.length
  return [
    '## Coverage of the service’s behaviour',
    '',
    ...hazardTable('Not met, and mishandling it loses money', losingMoney),
    ...hazardTable('Not met', others),
    '| | met | of | not met |',
    '|---|---|---|---|',
    `| Hazards | ${hazardsMet} | ${report.hazards.length} | |`,
    ...sectionsOf(report).map(
      ({ title, met, of, missing }) => `| ${title} | ${met} | ${of} | ${missing.map(cell).join(', ')} |`,
    ),
    '',
    `**${percentLine(report)}**`,
    '',
    '',
  ].join('\n')
}

function hazardTable(title: string, missing: readonly HazardMet[]): string[] {
  if (missing.length === 0) return []
  return [
    `### ${title}`,
    '',
    '| hazard | the service … | brought by |',
    '|---|---|---|',
    ...missing.map(({ name, does, bring }) => `| ${name} | ${cell(does)} | \`${bring}\` |`),
    '',
  ]
}

const cell = (text: string): string => text.replaceAll('|', '\\|')

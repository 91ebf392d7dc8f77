import {
  type CoverageReport,
  type HazardMet,
  missingHazards,
  percentLine,
  sectionsOf,
} from '../../domain/coverage/report.ts'

/** A report as Markdown, for the summary of a CI job. */
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

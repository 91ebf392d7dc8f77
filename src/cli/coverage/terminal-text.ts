import {
  type CoverageReport,
  type HazardMet,
  missingHazards,
  percentLine,
  sectionsOf,
} from '../../domain/coverage/report.ts'
import { painter } from '../log/paint.ts'

const nameWidth = 28
const titleWidth = 18

/** A report as lines of a terminal. */
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

import { styleText } from 'node:util'
import { element, xmlText } from '../domain/text/markup.ts'
import {
  type BehaviourResult,
  detailsOf,
  meaningOf,
  type Outcome,
  type SweepReport,
  summaryOf,
} from './report.ts'

type Look = Parameters<typeof styleText>[0]

const looks: Readonly<Record<Outcome, Look>> = {
  BROKE: ['bold', 'red'],
  waited: 'yellow',
  'gave up': 'yellow',
  survived: 'green',
  'not met': 'dim',
  flaky: 'yellow',
  skipped: 'dim',
}

const nameWidth = 25
const outcomeWidth = 10

/** Formats a result for a terminal. */
export function resultLines(result: BehaviourResult, colours: boolean): string {
  const { name, outcome } = result
  const dressed = colours
    ? styleText(looks[outcome], outcome.padEnd(outcomeWidth), { validateStream: false })
    : outcome.padEnd(outcomeWidth)
  const [first = '', ...rest] = detailsOf(result)
  const indent = ' '.repeat(nameWidth + outcomeWidth)
  return [`${name.padEnd(nameWidth)}${dressed}${first}`, ...rest.map((line) => `${indent}${line}`)]
    .map((line) => line.trimEnd())
    .join('\n')
}

/** The last lines: the summary, and the meaning of outcomes that need an action. */
export function closingLines(report: SweepReport): string {
  const explained = (['BROKE', 'waited', 'gave up', 'flaky'] as const)
    .filter((outcome) => report.counts[outcome] > 0)
    .map((outcome) => `${outcome}: ${meaningOf[outcome]}.`)
  return ['', summaryOf(report), ...explained].join('\n')
}

const marks = {
  BROKE: '❌',
  waited: '⏳',
  'gave up': '🛑',
  survived: '✅',
  'not met': '➖',
  flaky: '🎲',
  skipped: '⏭️',
} as const

/** Formats the report as Markdown, for the summary of a CI job. */
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

/** Formats the report as JUnit XML. BROKE is a failure. Behaviours that were not met or were left out are skipped
 *  with the reason. All others pass, with their result as output. */
export function junitReport(report: SweepReport): string {
  const { counts, results, ms } = report
  const totals = { tests: results.length, failures: counts.BROKE, errors: 0, time: (ms / 1_000).toFixed(3) }
  const suite = element(
    'testsuite',
    {
      name: 'sweep',
      ...totals,
      skipped: counts['not met'] + counts.skipped,
      timestamp: report.startedAt.slice(0, 19),
    },
    [...results.map(caseOf), element('system-out', {}, [xmlText(summaryOf(report))])],
  )
  const suites = element('testsuites', { name: 'payment-order-emulator sweep', ...totals }, [suite])
  return `<?xml version="1.0" encoding="UTF-8"?>\n${suites}\n`
}

function caseOf(result: BehaviourResult): string {
  const { name, does, outcome, failed = [] } = result
  const details = xmlText(detailsOf(result).join('\n'))
  const inside =
    outcome === 'BROKE'
      ? [element('failure', { type: 'BROKE', message: failed[0]?.message ?? outcome }, [details])]
      : outcome === 'not met' || outcome === 'skipped'
        ? [element('skipped', { message: result.reason ?? outcome })]
        : [element('system-out', {}, [xmlText(`${outcome}: `), details])]
  return element(
    'testcase',
    { classname: 'sweep', name: `${name}: the service ${does}`, time: '0.000' },
    inside,
  )
}

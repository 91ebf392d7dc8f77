import { styleText } from 'node:util'
import type { BehaviourResult, Outcome, SweepReport } from './report.ts'
import { detailsOf, meaningOf, summaryOf } from './report-words.ts'

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

/** A result as lines of a terminal. */
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

/** The last lines: the sum, and what the outcomes mean that a reader has to act on. */
export function closingLines(report: SweepReport): string {
  const explained = (['BROKE', 'waited', 'gave up', 'flaky'] as const)
    .filter((outcome) => report.counts[outcome] > 0)
    .map((outcome) => `${outcome}: ${meaningOf[outcome]}.`)
  return ['', summaryOf(report), ...explained].join('\n')
}

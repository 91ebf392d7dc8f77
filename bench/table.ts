import type { Measurement } from './measurements.ts'

/** A measurement with its rates, one for each round. */
export interface Measured {
  readonly measurement: Measurement
  readonly perSecond: readonly number[]
}

/** How far a measurement came. */
export interface Verdict {
  readonly ratio: number
  readonly ok: boolean
}

/** Compares with the ceiling round by round, so that a machine that slows down slows both. Null without a ceiling. */
export function verdictOn({ measurement, perSecond }: Measured, all: readonly Measured[]): Verdict | null {
  const ceiling = all.find(({ measurement: { name } }) => name === measurement.ceiling)
  if (ceiling === undefined) return null
  const ratio = median(perSecond.map((rate, round) => rate / (ceiling.perSecond[round] ?? Infinity)))
  return { ratio, ok: ratio >= (measurement.goal?.must ?? 0) }
}

/** The results as lines of text. */
export function tableOf(all: readonly Measured[]): string {
  const head = ['', 'req/s', 'spread', 'ratio', 'goal', 'must', '']
  const lines = [head, ...all.map((one) => cellsOf(one, all))]
  const widths = head.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)))
  const aligned = (cell: string, column: number) =>
    column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0)
  return lines.map((line) => line.map(aligned).join('  ').trimEnd()).join('\n')
}

function cellsOf(measured: Measured, all: readonly Measured[]): string[] {
  const { measurement, perSecond } = measured
  const rate = median(perSecond)
  const spread = (Math.max(...perSecond) - Math.min(...perSecond)) / rate
  const verdict = verdictOn(measured, all)
  return [
    measurement.name,
    Math.round(rate).toLocaleString('en'),
    `${Math.round(spread * 100)} %`,
    verdict?.ratio.toFixed(3) ?? '',
    measurement.goal?.aim.toFixed(3) ?? '',
    measurement.goal?.must.toFixed(3) ?? '',
    verdict === null || measurement.goal === undefined ? '' : verdict.ok ? 'ok' : 'TOO SLOW',
  ]
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = Math.floor(sorted.length / 2)
  return ((sorted[middle] ?? 0) + (sorted[sorted.length - 1 - middle] ?? 0)) / 2
}

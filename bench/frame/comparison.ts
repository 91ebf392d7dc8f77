import type { Bench } from './bench.ts'
import { type Contender, interleave, interleaveAnew, type Measured, type Round } from './rounds.ts'
import type { Result } from './section.ts'
import { median, ratios, spread } from './statistics.ts'
import { isDecided } from './verdict.ts'

/** Measures contenders side by side. @returns a line for each that nothing is compared with */
export async function compare(bench: Bench, contenders: readonly Contender[]): Promise<Result[]> {
  return resultsOf(await interleave(bench, contenders, tellEnough))
}

/** The same with servers that are started anew every few rounds, for what lies near its must. */
export async function compareAnew(
  bench: Bench,
  start: () => Promise<readonly Contender[]>,
): Promise<Result[]> {
  return resultsOf(await interleaveAnew(bench, start, tellEnough))
}

/** Whether the rounds tell of all that has a goal if it is reached: where a machine is not steady, and near a must, a
 *  few of them tell little. */
export const tellEnough = (all: readonly Measured[]): boolean =>
  all.every((measured) => {
    const { goal, beside } = measured.contender
    const ceiling = named(beside, all)
    return goal === undefined || ceiling === undefined || isDecided(sharesOf(measured, ceiling), goal)
  })

/** Compares each contender with the one it stands beside, round by round. What others stand beside has no line of its
 *  own: its figures are in theirs. What stands alone is information. */
export function resultsOf(all: readonly Measured[]): Result[] {
  const besides = new Set(all.map(({ contender }) => contender.beside))
  return all
    .filter(({ contender }) => !besides.has(contender.name))
    .map((measured) => {
      const ceiling = named(measured.contender.beside, all)
      if (ceiling === undefined) return alone(measured)
      const least = named(measured.contender.floor, all)
      const result = beside(measured, ceiling)
      return least === undefined ? result : { ...result, floor: beside(least, ceiling).value }
    })
}

function beside(measured: Measured, ceiling: Measured): Result {
  const { name, by, goal } = measured.contender
  const shares = sharesOf(measured, ceiling)
  const byCpu = median(ratios(of(ceiling, cpu), of(measured, cpu)))
  const words = [inWords(measured), `${ceiling.contender.name} ${inWords(ceiling)}`]
  if (by === undefined && !Number.isNaN(byCpu)) words.push(`by CPU ${byCpu.toFixed(2)}`)
  return {
    name,
    value: median(shares),
    unit: `x ${ceiling.contender.name}${by === undefined ? '' : `, ${by}`}`,
    spread: spread(shares),
    ...(goal && { goal }),
    note: [...words, ...overload([measured, ceiling])].join('; '),
  }
}

function alone(measured: Measured): Result {
  const { name, by } = measured.contender
  const figures = of(measured, figureOf(by))
  const note = [...cpuInWords(measured), ...overload([measured])].join('; ')
  return { name, value: median(figures), unit: by === undefined ? '/s' : 'ms', spread: spread(figures), note }
}

const named = (name: string | undefined, all: readonly Measured[]) =>
  all.find(({ contender }) => contender.name === name)

/** What is compared, beside the same of a ceiling. */
function sharesOf(measured: Measured, ceiling: Measured): number[] {
  const figure = figureOf(measured.contender.by)
  return ratios(of(measured, figure), of(ceiling, figure))
}

const cpu = ({ cpuMicros }: Round) => cpuMicros
const of = ({ rounds }: Measured, figure: (round: Round) => number) => rounds.map(figure)
const figureOf =
  (by: Contender['by']) =>
  ({ perSecond, p50Ms }: Round) =>
    by === 'p50' ? p50Ms : perSecond

function inWords(measured: Measured): string {
  const rate =
    measured.contender.connections === 1
      ? `p50 ${median(of(measured, ({ p50Ms }) => p50Ms)).toFixed(3)} ms`
      : `${Math.round(median(of(measured, ({ perSecond }) => perSecond))).toLocaleString('en')}/s`
  return [rate, ...cpuInWords(measured)].join(', ')
}

/** Nothing where it is not known. */
function cpuInWords(measured: Measured): string[] {
  const micros = median(of(measured, cpu))
  return Number.isNaN(micros) ? [] : [`CPU ${micros.toFixed(1)} µs`]
}

/** Said where the load was measured, not the server. */
function overload(all: readonly Measured[]): string[] {
  const busiest = Math.max(...all.map((measured) => median(of(measured, (round) => round.generatorBusy))))
  return busiest > 0.9 ? ['THE LOAD WAS TOO SLOW'] : []
}

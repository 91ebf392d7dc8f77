import { figure } from '../frame/table.ts'
import { mustOf } from '../frame/verdict.ts'
import type { Line } from './comparison.ts'
import { table } from './markdown.ts'

/** What stands above the tables. */
export interface Heading {
  /** Date, class of machine, Node. */
  readonly machine: string
  readonly rounds: number
  /** Cores that other programs have had meanwhile; NaN where that cannot be told. */
  readonly othersCores: number
}

/** When and where it was measured, in a sentence. */
export const placeOf = ({ machine, othersCores }: Heading): string =>
  Number.isNaN(othersCores)
    ? `${machine}.`
    : `${machine}; meanwhile other programs had ${othersCores.toFixed(1)} cores.`

/** The page of results, in Markdown.
 *  @param groups lines by the number of orders at the start */
export function pageOf(heading: Heading, groups: ReadonlyMap<number, readonly Line[]>): string {
  const [all = []] = groups.values()
  const blocks = [
    '# Beside other tools',
    'Written by `npm run bench:peers`; docs/performance.md says what is equal and what is not.',
    placeOf(heading),
    `Rounds: ${heading.rounds}, of which the medians stand here. In each, every tool is started anew, warmed up and measured, one after the other. ` +
      '"x" is how many times as well the emulator does, round by round: below 1 the other tool is ahead. ' +
      '"floor" is the same for the bare program, where there is an aim.',
    ...[...groups].flatMap(([stored, lines]) => [
      `## With ${stored.toLocaleString('en')} orders at the start`,
      table(columns, lines.map(cellsOf)),
    ]),
    '## What each does with a create call',
    table(['tool', 'version', 'work'], all.map(workCells)),
  ]
  return `${blocks.join('\n\n')}\n`
}

const columns = [
  ...['tool', 'creates/s', 'spread', 'x', 'aim', 'floor', 'CPU µs', 'x', 'lookups/s', 'x'],
  ...['start ms', 'created', 'MB then', 'x', 'aim', 'floor'],
]

function cellsOf({ entry, medians, spread, times, floor }: Line): string[] {
  const { name, aims } = entry.peer
  if (entry.failure !== undefined) return [name, `not measured: ${entry.failure}`]
  return [
    ...[name, figure(medians.createsPerSecond), `${Math.round(spread * 100)} %`],
    ...[timesCell(times?.creates), ...aimCells(times?.creates, floor?.creates, aims?.creates)],
    ...[figure(medians.createCpuMicros), timesCell(times?.createCpu)],
    ...[figure(medians.lookupsPerSecond), timesCell(times?.lookups)],
    ...[figure(medians.coldStartMs), figure(medians.created)],
    ...[figure(medians.residentMb), timesCell(times?.memory)],
    ...aimCells(times?.memory, floor?.memory, aims?.memory),
  ]
}

const workCells = ({ entry: { peer, version } }: Line): string[] => [peer.name, version, peer.work]

const timesCell = (times: number | undefined): string => (times === undefined ? '' : figure(times))

/** What was aimed at, and what the floor comes to. */
function aimCells(
  times: number | undefined,
  floor: number | undefined,
  aim: number | undefined,
): [string, string] {
  if (times === undefined || aim === undefined) return ['', '']
  const verdict = times >= mustOf({ aim, better: 'higher' }) ? 'ok' : 'MISSED'
  return [`${aim} ${verdict}`, timesCell(floor)]
}

import { median, ratios, spread } from '../frame/statistics.ts'
import type { Figures } from './measure.ts'
import type { Peer } from './peer.ts'

/** What a contender came to with a number of orders at the start. */
export interface Entry {
  readonly peer: Peer
  readonly version: string
  /** One for each round; the n-th of all stand side by side in time. */
  readonly rounds: readonly Figures[]
  /** Why it was not measured. */
  readonly failure?: string
}

/** An entry's medians, and how the emulator compares. */
export interface Line {
  readonly entry: Entry
  readonly medians: Figures
  /** Of the creates per second: largest less smallest, as a share of the median. */
  readonly spread: number
  /** How many times as well the emulator does; null for itself. */
  readonly times: Times | null
  /** How many times as well the floor does; null for itself and the emulator, and where none was measured. */
  readonly floor: Times | null
}

/** More than 1 is in favour of the one that is compared. */
interface Times {
  /** Creates per second. */
  readonly creates: number
  /** Processor time for a create call, all threads. */
  readonly createCpu: number
  readonly lookups: number
  /** Memory after the load. */
  readonly memory: number
}

/** Compares all with the first, which is the emulator, round by round, so that a machine that slows down slows both. */
export function compare(entries: readonly Entry[]): Line[] {
  const [emulator] = entries
  const floor = entries.find(({ peer, failure }) => peer.isFloor === true && failure === undefined)
  const isTool = (entry: Entry) => entry !== emulator && entry !== floor
  return entries.map((entry) => ({
    entry,
    medians: mediansOf(entry),
    spread: spread(each(entry, 'createsPerSecond')),
    times: emulator === undefined || entry === emulator ? null : timesOf(emulator, entry),
    floor: floor !== undefined && isTool(entry) ? timesOf(floor, entry) : null,
  }))
}

function timesOf(one: Entry, other: Entry): Times {
  const more = (figure: keyof Figures) => median(ratios(each(one, figure), each(other, figure)))
  const less = (figure: keyof Figures) => median(ratios(each(other, figure), each(one, figure)))
  return {
    creates: more('createsPerSecond'),
    createCpu: less('createCpuMicros'),
    lookups: more('lookupsPerSecond'),
    memory: less('residentMb'),
  }
}

const mediansOf = (entry: Entry): Figures => ({
  coldStartMs: median(each(entry, 'coldStartMs')),
  createsPerSecond: median(each(entry, 'createsPerSecond')),
  createCpuMicros: median(each(entry, 'createCpuMicros')),
  lookupsPerSecond: median(each(entry, 'lookupsPerSecond')),
  residentMb: median(each(entry, 'residentMb')),
  created: median(each(entry, 'created')),
})

const each = ({ rounds }: Entry, figure: keyof Figures): number[] => rounds.map((round) => round[figure])

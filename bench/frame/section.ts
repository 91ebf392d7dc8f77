import type { Bench } from './bench.ts'

/** A part of the bench: one idea, measured in one go with its ceilings. */
export interface Section {
  /** What `--only` chooses it by. */
  readonly name: string
  /** The goal it shows, as bench/README.md numbers them; null for what is only information. */
  readonly goal: number | null
  /** `always`: in `--quick` too, and then in at most half a minute. `full`: when nothing is chosen. `asked`: only
   *  when its name is given. */
  readonly runs: 'always' | 'full' | 'asked'
  run(bench: Bench): Promise<Result[]>
}

/** One line of the table. */
export interface Result {
  /** What was measured: `create, file`. */
  readonly name: string
  readonly value: number
  /** `x Hono echo` for a ratio, else `ms`, `MB`, `/s`. */
  readonly unit: string
  /** Largest less smallest round, as a share of the median; null for what was measured once. */
  readonly spread: number | null
  /** Without one, the line is information. */
  readonly goal?: Goal
  /** What the least program that keeps the same promises came to in the same rounds. */
  readonly floor?: number
  /** The figures behind a ratio, in a few words. */
  readonly note?: string
}

export interface Goal {
  readonly aim: number
  readonly better: 'higher' | 'lower'
  /** A figure in time and no ratio: meant for a machine of `paceOfGoals`, so that a slower one is allowed for. */
  readonly timed?: true
}

/** What a section came to. */
export interface Outcome {
  readonly section: Section
  readonly results: readonly Result[]
  /** How many cores other programs have had meanwhile, as a mean; NaN if not known. */
  readonly othersCores: number
  /** How long the same piece of work took from moment to moment, milliseconds: see `Pace`. */
  readonly paceMs: readonly number[]
  /** Why it has no results. */
  readonly failure?: string
}

import type { GoalName } from '../goals.ts'
import type { Bench } from './bench.ts'

/** A part of the bench that `--only` can choose. */
export interface Section {
  readonly name: string
  /** Whether `--quick` runs it, in short rounds. */
  readonly quick?: true
  run(bench: Bench): Promise<Figure[]>
}

/** The measured value of a goal. */
export interface Figure {
  readonly goal: GoalName
  /** One for each round; their median counts. */
  readonly values: readonly number[]
  /** The figures behind a ratio, in a few words. */
  readonly note?: string
}

/** The result of a section: its figures, or why it has none. */
export interface Outcome {
  readonly section: string
  readonly figures: readonly Figure[]
  readonly failure?: string
}

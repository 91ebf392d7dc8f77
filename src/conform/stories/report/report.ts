import type { ConfigurationProblem } from '../../report.ts'
import type { PromiseId } from '../promises.ts'
import type { StepText } from '../story.ts'

/** Report of a run of stories. All of it is JSON. */
export interface StoryReport {
  /** No story failed, the configuration has no problems, and at least one story was played. */
  readonly ok: boolean
  /** Seed of the run. */
  readonly seed: string
  readonly emulator: string
  readonly clientId: string
  /** Wall time, epoch milliseconds. */
  readonly startedAt: number
  /** How long it took, milliseconds. */
  readonly ms: number
  /** Problems in the configuration. Those that show up during the run end it. */
  readonly problems: readonly ConfigurationProblem[]
  /** In the order in which they were played. */
  readonly stories: readonly StoryResult[]
}

/** Result of a story. */
export interface StoryResult {
  /** The name of its file without the extension, or the name that the caller gave. */
  readonly name: string
  /** The path of its file; null if the caller gave the acts. */
  readonly file: string | null
  readonly acts: readonly StepText[]
  /** The promise that the story broke when it was found. */
  readonly promise: PromiseId
  /** `FAIL`: it broke a promise, this or another one. `NOT-SEEN`: it cannot be played with this configuration. */
  readonly verdict: 'PASS' | 'FAIL' | 'NOT-SEEN'
  readonly broken: BrokenPromise | null
  /** Why the story was not played, or a remark; null if there is none. */
  readonly note: string | null
  /** What happened in each step, in the order of `acts`; may be empty. */
  readonly seen: readonly string[]
  /** How often it was played. */
  readonly times: number
  /** The order of the last time, which the emulator shows. */
  readonly requestId: string | null
  /** The sequence of that order as an SVG picture; null if there is none. */
  readonly sequence: string | null
  /** The command that plays only this story again; null if there is none. */
  readonly again: string | null
  readonly ms: number
}

/** A promise that a story broke. */
export interface BrokenPromise {
  readonly promise: PromiseId
  /** A few words: `released twice`. */
  readonly title: string
  /** What the application did: `released 2, paid 1`. */
  readonly did: string
  /** The right behaviour, and why it matters, each in a sentence. */
  readonly should: string
  readonly why: string
  /** The time at which it broke, from 1. */
  readonly time: number
}

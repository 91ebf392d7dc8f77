import type { ConfigurationProblem } from '../report.ts'
import type { PromiseId } from '../stories/promises.ts'
import type { StepText } from '../stories/story.ts'

/** Report of a search. All of it is JSON. */
export interface ExploreReport {
  /** Nothing was found (seldom finds do not count), the configuration has no problems, and the search was not cut
   *  short by the application. */
  readonly ok: boolean
  /** Seed that repeats the search. */
  readonly seed: string
  readonly emulator: string
  readonly clientId: string
  /** Wall time, epoch milliseconds. */
  readonly startedAt: number
  /** How long the search took, milliseconds. */
  readonly ms: number
  /** The number of stories played. */
  readonly stories: number
  /** The number of pairs of acts that no story has had yet. */
  readonly pairsLeft: number
  /** The number of stories that broke a promise once, and not again when they were repeated. */
  readonly unrepeated: number
  /** Problems in the configuration. Those that show up during the search end it. */
  readonly problems: readonly ConfigurationProblem[]
  /** Acts that no story had, and why. */
  readonly leftOut: readonly { readonly acts: readonly string[]; readonly why: string }[]
  /** Why the search ended early: the application died or answers nothing more; null if it did not. */
  readonly stopped: Stopped | null
  readonly found: readonly FoundStory[]
}

/** Why a search ended early. */
export interface Stopped {
  readonly why: string
  /** The last stories, which were played beside each other. */
  readonly lastStories: readonly (readonly StepText[])[]
}

/** A story that breaks a promise. */
export interface FoundStory {
  readonly promise: PromiseId
  /** A few words: `released twice`. */
  readonly title: string
  /** The right behaviour, and why it matters, each in a sentence. */
  readonly should: string
  readonly why: string
  /** The story with the fewest acts that was found to do it. */
  readonly acts: readonly StepText[]
  /** What happened in each step, in the order of `acts`: `order COMPLETED; webhook held`; may be empty. */
  readonly seen: readonly string[]
  /** What the application did in the end: `released 2, paid 1`. */
  readonly did: string
  /** Beside how many stories like it, itself included, it breaks the promise; 1: alone. */
  readonly beside: number
  /** The number of the story with which it was found first, from 1, and its number of acts. */
  readonly foundAt: number
  readonly foundWith: number
  /** How often the final story broke the promise when it was repeated. */
  readonly repeats: { readonly broke: number; readonly of: number }
  /** Fewer than twelve of twenty repeats broke the promise: shown, and no failure. */
  readonly seldom: boolean
  /** The order of the last repeat that broke it, which the emulator shows. */
  readonly requestId: string | null
  /** The sequence of that order as an SVG picture; null if there is none. */
  readonly sequence: string | null
  /** The file in which the story is kept; null if it is not. */
  readonly file: string | null
  /** The command that repeats the story. */
  readonly again: string | null
}

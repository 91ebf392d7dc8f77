import { stopwatch } from '../../time/wall.ts'
import type { Batch, Plan } from './plan.ts'
import type { Played, PlayOptions } from './player.ts'
import { type PromiseId, promiseNamed, type Violation } from './promises.ts'
import type { FoundStory } from './report.ts'
import { shrunk } from './shrink.ts'
import { actsIn, contains, type Story } from './story.ts'
import { toStepTexts } from './story-file.ts'

/** How often a found story is repeated, and how often it has to break its promise to be a failure. */
export const repeatsOf = 20
const failureFrom = 12

/** How a search plays its stories. */
export interface Stories {
  play(batch: Batch, options?: PlayOptions): Promise<readonly Played[]>
  /** The stories played last that have broken a promise since they were judged. */
  late(): readonly Played[]
}

/** The limits of a search. */
export interface Limits {
  /** The wall-clock time, milliseconds. */
  readonly timeMs: number
  /** The most stories; null for as many as there is time for. */
  readonly stories: number | null
  readonly stopAtFirst: boolean
}

/** What a search has come to so far. */
export interface Progress {
  readonly stories: number
  readonly pairsLeft: number
  readonly found: readonly FoundStory[]
  /** What it does now: plays new stories, or shrinks or repeats one that broke a promise. */
  readonly doing: 'plays' | 'shrinks' | 'repeats'
}

/** Searches for stories that break a promise: plays what the plan says, and shrinks and repeats what breaks one. */
export class Search {
  readonly #plan: Plan
  readonly #stories: Stories
  readonly #limits: Limits
  readonly #onProgress: (progress: Progress) => void
  readonly #beganAt = stopwatch()
  readonly #found: FoundStory[] = []
  readonly #kept: { readonly promise: PromiseId; readonly story: Story }[] = []
  #played = 0
  #last: Batch = []

  constructor(
    plan: Plan,
    stories: Stories,
    limits: Limits,
    onProgress: (progress: Progress) => void = () => undefined,
  ) {
    this.#plan = plan
    this.#stories = stories
    this.#limits = limits
    this.#onProgress = onProgress
  }

  get progress(): Progress {
    return this.#as('plays')
  }

  /** The stories that were begun last, which ran beside each other. */
  get last(): Batch {
    return this.#last
  }

  /** Plays until a limit is reached, or no story could show anything new. */
  async run(): Promise<void> {
    for (let batch = this.#next(); batch !== null && !this.#isOver; batch = this.#next()) {
      this.#onProgress(this.#as('plays'))
      const firstAt = this.#played + 1
      const played = await this.#play(batch, { brief: true })
      for (const { story, violation } of [...this.#stories.late(), ...played])
        if (violation !== null && !this.#isOver)
          await this.#follow(story, violation, firstAt + Math.max(0, batch.indexOf(story)))
    }
  }

  #next(): Batch | null {
    const left =
      this.#limits.stories === null ? Number.POSITIVE_INFINITY : this.#limits.stories - this.#played
    return this.#plan.next()?.slice(0, left) ?? null
  }

  get #isOver(): boolean {
    const { timeMs, stories, stopAtFirst } = this.#limits
    return (
      stopwatch() - this.#beganAt >= timeMs ||
      (stories !== null && this.#played >= stories) ||
      (stopAtFirst && this.#found.some(({ seldom }) => !seldom))
    )
  }

  async #play(batch: Batch, options: PlayOptions = {}): Promise<readonly Played[]> {
    this.#last = batch
    const played = await this.#stories.play(batch, options)
    this.#played += batch.length
    return played
  }

  /** Repeats a story that broke a promise, shrinks it and repeats the result. Reports it if it broke the promise again.
   *  One that contains a story that was found before shows nothing new. */
  async #follow(story: Story, { promise }: Violation, foundAt: number): Promise<void> {
    if (this.#isExplained(story, promise)) return
    const breaks = async (batch: Batch): Promise<boolean[]> =>
      (await this.#play(batch)).map(({ violation }) => violation?.promise === promise)
    this.#onProgress(this.#as('shrinks'))
    // At once, and each alone: other stories may have been what broke it.
    if (!(await someBreak(story, breaks))) return
    const least = await shrunk(story, breaks)
    if (this.#isExplained(least, promise)) return
    this.#onProgress(this.#as('repeats'))
    const found = await this.#repeated(least, promise)
    if (found === null) return
    this.#kept.push({ promise, story: least })
    // A seldom find does not keep the search from what contains it.
    if (!found.seldom) this.#plan.avoid(least)
    this.#found.push({ ...found, foundAt, foundWith: actsIn(story) })
  }

  #isExplained(story: Story, promise: PromiseId): boolean {
    return this.#kept.some((kept) => kept.promise === promise && contains(story, kept.story))
  }

  async #repeated(
    story: Story,
    promise: PromiseId,
  ): Promise<Omit<FoundStory, 'foundAt' | 'foundWith'> | null> {
    const all: Played[] = []
    for (let time = 1; time <= repeatsOf; time++)
      all.push(...(await this.#play([story], { watched: time === 1 })))
    const broke = all.filter(({ violation }) => violation?.promise === promise)
    const [last] = broke.slice(-1)
    if (last?.violation == null) return null
    const { title, should, why } = promiseNamed(promise)
    return {
      ...{ promise, title, should, why },
      acts: toStepTexts(story),
      seen: all[0]?.seen ?? [],
      did: last.violation.did,
      repeats: { broke: broke.length, of: repeatsOf },
      seldom: broke.length < failureFrom,
      requestId: last.requestId,
      ...{ sequence: null, file: null, again: null },
    }
  }

  #as(doing: Progress['doing']): Progress {
    return { stories: this.#played, pairsLeft: this.#plan.pairsLeft, found: this.#found, doing }
  }
}

/** Whether a story breaks its promise again when it is played alone, at one of three times. */
async function someBreak(
  story: Story,
  breaks: (batch: Batch) => Promise<readonly boolean[]>,
): Promise<boolean> {
  for (let time = 1; time <= 3; time++) if ((await breaks([story])).some(Boolean)) return true
  return false
}

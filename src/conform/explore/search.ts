import { stopwatch } from '../../time/wall.ts'
import { ApplicationStopped } from '../stories/application-stopped.ts'
import type { Played, PlayOptions } from '../stories/player.ts'
import { type PromiseId, promiseNamed, type Violation } from '../stories/promises.ts'
import { actsIn, type Batch, contains, copiesOf, type Story, toStepTexts } from '../stories/story.ts'
import type { Plan } from './plan.ts'
import { type Repeatable, repeatable, smallest, Trial, triesAlone } from './repeatable.ts'
import type { FoundStory } from './report.ts'

/** How often a found story is repeated, and how often it has to break its promise to be a failure. */
const repeatsOf = 20
const failureFrom = 12

/** How a search plays its stories. */
export interface Stories {
  play(batch: Batch, options?: PlayOptions): Promise<readonly Played[]>
  /** The stories played last that have broken a promise since they were judged. */
  late(): readonly Played[]
  /** The sequence of an order as an SVG picture; null if there is none. */
  sequence(requestId: string): Promise<string | null>
}

/** The limits of a search. */
export interface Limits {
  /** The wall-clock time, milliseconds. */
  readonly timeMs: number
  /** The most stories; null for as many as there is time for. */
  readonly stories: number | null
  readonly stopAtFirst: boolean
  /** How many stories are played beside each other. */
  readonly atOnce: number
}

/** What a search has come to so far. */
export interface Progress {
  readonly stories: number
  readonly pairsLeft: number
  /** Stories that broke a promise once, and not again when they were repeated. */
  readonly unrepeated: number
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
  /** The number of each story that the plan has given, from 1. */
  readonly #numbers = new WeakMap<Story, number>()
  #played = 0
  #unrepeated = 0
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
    while (!this.#isOver) {
      const batch = this.#plan.next(this.#storiesLeft)
      if (batch === null) return
      this.#onProgress(this.#as('plays'))
      for (const [index, story] of batch.entries()) this.#numbers.set(story, this.#played + 1 + index)
      const played = await this.#play(batch, { brief: true })
      for (const { story, violation } of [...this.#stories.late(), ...played])
        if (violation !== null && !this.#isOver) await this.#follow(story, violation)
    }
  }

  get #storiesLeft(): number {
    return (this.#limits.stories ?? Number.POSITIVE_INFINITY) - this.#played
  }

  get #isOver(): boolean {
    const { timeMs, stopAtFirst } = this.#limits
    return (
      stopwatch() - this.#beganAt >= timeMs ||
      this.#storiesLeft <= 0 ||
      (stopAtFirst && this.#found.some(({ seldom }) => !seldom))
    )
  }

  async #play(batch: Batch, options: PlayOptions = {}): Promise<readonly Played[]> {
    const before = this.#last
    this.#last = batch
    const played = await this.#stories.play(batch, options).catch((error: unknown) => {
      if (error instanceof ApplicationStopped && error.isBefore) this.#last = before
      throw error
    })
    // A story whose order was never created shows nothing.
    this.#played += played.filter(({ requestId }) => requestId !== null).length
    return played
  }

  /** Repeats a story that broke a promise, shrinks it and repeats the result. Reports it if it broke the promise again.
   *  One that contains a story that was found before shows nothing new. */
  async #follow(story: Story, violation: Violation): Promise<void> {
    const { promise } = violation
    if (this.#isExplained(story, promise)) return
    this.#onProgress(this.#as('shrinks'))
    const trial = new Trial(promise, (batch, options) => this.#play(batch, options))
    const again = await repeatable(story, trial, {
      atOnce: this.#limits.atOnce,
      withJobs: this.#plan.withJobs(story),
      isHurried: this.#unrepeated >= mostUnrepeated,
    })
    const least = again && (await smallest(again, trial))
    if (least !== null && this.#isExplained(least.story, promise)) return
    this.#onProgress(this.#as('repeats'))
    const first = { foundAt: this.#numbers.get(story) ?? 0, foundWith: actsIn(story) }
    const found = least && (await this.#repeated(least, promise, first))
    if (least === null || found === null) {
      this.#unrepeated += 1
      if (promise === 'keeps-answering') this.#died(story, violation, first)
      return
    }
    this.#kept.push({ promise, story: least.story })
    // A seldom find does not keep the search from what contains it.
    if (!found.seldom) this.#plan.avoid(least.story)
    this.#found.push(found)
  }

  /** Reports the first story in which the application has died or hung and does not again: started anew, it may lack what
   *  brought it there. What has died was no false alarm. */
  #died(story: Story, { promise, did }: Violation, first: FirstFind): void {
    if (this.#found.some((found) => found.promise === promise)) return
    const only = `${did}; started again, it did not do so in the same story, so what had happened before may matter`
    const repeats = { broke: 0, of: triesAlone }
    this.#found.push(foundStory(story, { promise, did: only }, { ...first, repeats }))
  }

  #isExplained(story: Story, promise: PromiseId): boolean {
    return this.#kept.some((kept) => kept.promise === promise && contains(story, kept.story))
  }

  async #repeated(
    { story, beside }: Repeatable,
    promise: PromiseId,
    first: FirstFind,
  ): Promise<FoundStory | null> {
    const breaking: Played[] = []
    let seen: readonly string[] = []
    for (let time = 1; time <= repeatsOf; time++) {
      if (time > patientRepeats && breaking.length === 0) return null
      const options = { watched: time === 1, hasty: time > patientRepeats }
      const played = await this.#play(copiesOf(story, beside), options)
      const broke = played.find(({ violation }) => violation?.promise === promise)
      if (broke !== undefined) breaking.push(broke)
      if (time === 1) seen = (broke ?? played[0])?.seen ?? []
    }
    const last = breaking.at(-1)
    if (last?.violation == null) return null
    const { violation, requestId } = last
    return foundStory(story, violation, {
      ...{ ...first, seen, beside, requestId },
      repeats: { broke: breaking.length, of: repeatsOf },
      seldom: breaking.length < failureFrom,
      sequence: requestId === null ? null : await this.#stories.sequence(requestId),
    })
  }

  #as(doing: Progress['doing']): Progress {
    const { pairsLeft } = this.#plan
    return { stories: this.#played, pairsLeft, unrepeated: this.#unrepeated, found: this.#found, doing }
  }
}

/** The story with which something was found first. */
type FirstFind = Pick<FoundStory, 'foundAt' | 'foundWith'>

/** Builds the report of a story that breaks a promise. */
function foundStory(
  story: Story,
  { promise, did }: Violation,
  more: FirstFind & Pick<FoundStory, 'repeats'> & Partial<FoundStory>,
): FoundStory {
  const { title, should, why } = promiseNamed(promise)
  return {
    ...{ promise, title, should, why, acts: toStepTexts(story), did },
    ...{ seen: [], beside: 1, seldom: false, requestId: null, sequence: null, file: null, again: null },
    ...more,
  }
}

/** After so many stories that did not repeat, others are tried less hard: each takes as long as many new stories. */
const mostUnrepeated = 5
/** The first repeats leave the application all the time that it may need; if it then keeps its promise, it keeps it. */
const patientRepeats = 3

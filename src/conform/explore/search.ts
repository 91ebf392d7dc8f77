import { stopwatch } from '../../time/wall.ts'
import type { Batch, Plan } from './plan.ts'
import type { Played, PlayOptions } from './player.ts'
import { type PromiseId, promiseNamed, type Violation } from './promises.ts'
import type { FoundStory } from './report.ts'
import { shrunk } from './shrink.ts'
import { actsIn, contains, copiesOf, type Story } from './story.ts'
import { toStepTexts } from './story-file.ts'

/** How often a found story is repeated, and how often it has to break its promise to be a failure. */
export const repeatsOf = 20
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
    // A story whose order was never created shows nothing.
    this.#played += played.filter(({ requestId }) => requestId !== null).length
    return played
  }

  /** Repeats a story that broke a promise, shrinks it and repeats the result. Reports it if it broke the promise again.
   *  One that contains a story that was found before shows nothing new. */
  async #follow(story: Story, { promise }: Violation, foundAt: number): Promise<void> {
    if (this.#isExplained(story, promise)) return
    const broke = async (batch: Batch, options: PlayOptions = {}): Promise<boolean[]> =>
      (await this.#play(batch, options)).map(({ violation }) => violation?.promise === promise)
    const soon = (batch: Batch) => broke(batch, { hasty: true })
    this.#onProgress(this.#as('shrinks'))
    const company = await this.#company(story, broke)
    if (company === null) {
      this.#unrepeated += 1
      return
    }
    const least = await shrunk(story, company === 1 ? twice(soon) : inCompany(company, soon))
    if (this.#isExplained(least, promise)) return
    this.#onProgress(this.#as('repeats'))
    const found = await this.#repeated(least, promise, company)
    if (found === null) {
      this.#unrepeated += 1
      return
    }
    this.#kept.push({ promise, story: least })
    // A seldom find does not keep the search from what contains it.
    if (!found.seldom) this.#plan.avoid(least)
    this.#found.push({ ...found, foundAt, foundWith: actsIn(story) })
  }

  /** Repeats a story at once: alone first, because other stories may have been what broke it, then beside others like
   *  it.
   *  @returns beside how many it breaks its promise again; null if it does not */
  async #company(story: Story, broke: (batch: Batch) => Promise<readonly boolean[]>): Promise<number | null> {
    for (let time = 1; time <= triesAtOnce; time++) if ((await broke([story])).some(Boolean)) return 1
    const { atOnce } = this.#limits
    return atOnce > 1 && (await broke(copiesOf(story, atOnce))).some(Boolean) ? atOnce : null
  }

  #isExplained(story: Story, promise: PromiseId): boolean {
    return this.#kept.some((kept) => kept.promise === promise && contains(story, kept.story))
  }

  async #repeated(
    story: Story,
    promise: PromiseId,
    beside: number,
  ): Promise<Omit<FoundStory, 'foundAt' | 'foundWith'> | null> {
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
    const { title, should, why } = promiseNamed(promise)
    return {
      ...{ promise, title, should, why },
      acts: toStepTexts(story),
      ...{ seen, beside },
      did: last.violation.did,
      repeats: { broke: breaking.length, of: repeatsOf },
      seldom: breaking.length < failureFrom,
      requestId: last.requestId,
      sequence: last.requestId === null ? null : await this.#stories.sequence(last.requestId),
      ...{ file: null, again: null },
    }
  }

  #as(doing: Progress['doing']): Progress {
    const { pairsLeft } = this.#plan
    return { stories: this.#played, pairsLeft, unrepeated: this.#unrepeated, found: this.#found, doing }
  }
}

/** How often a story is repeated alone before it is repeated beside others. */
const triesAtOnce = 3
/** The first repeats leave the application all the time that it may need; if it then keeps its promise, it keeps it. */
const patientRepeats = 3
/** How often a smaller story has to break the promise, each time, before it takes the place of the larger one. */
const timesEach = 2

/** Plays candidates of one skeleton beside each other, each several times.
 *  @returns whether each has broken the promise each time */
const twice =
  (broke: (batch: Batch) => Promise<readonly boolean[]>) =>
  async (candidates: Batch): Promise<boolean[]> => {
    const all = await broke(candidates.flatMap((story) => copiesOf(story, timesEach)))
    return candidates.map((_, index) => all.slice(index * timesEach, (index + 1) * timesEach).every(Boolean))
  }

/** Plays candidates one after the other, each beside copies of itself.
 *  @returns whether one of the copies has broken the promise; only the first that has is looked for */
const inCompany =
  (company: number, broke: (batch: Batch) => Promise<readonly boolean[]>) =>
  async (candidates: Batch): Promise<boolean[]> => {
    const results: boolean[] = []
    for (const story of candidates) {
      if (results.some(Boolean)) break
      results.push((await broke(copiesOf(story, company))).some(Boolean))
    }
    return results
  }

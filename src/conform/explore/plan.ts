import { type ActName, actNames, scopeOf, takesMs } from '../stories/acts.ts'
import {
  type Batch,
  bySkeleton,
  contains,
  distinct,
  isPossible,
  type Step,
  type Story,
  skeletonOf,
  storyText,
  withoutEmptySteps,
} from '../stories/story.ts'

/** Draws a number from 0 to below `bound`. */
export type Draw = (bound: number) => number

const carrier: Story = [['create'], ['pay']]

/** The stories in which hazards are put into the shortest life of an order (created, paid) in every way: before, after
 *  or at the moment of the payment, at one moment, and without a payment. */
export function storiesOf(...hazards: readonly ActName[]): Story[] {
  const [create = 'create', second] = hazards.filter(isCreation)
  if (second !== undefined) return []
  const others = hazards.filter((act) => !isCreation(act))
  const arranged =
    others.length === 0
      ? [carrier]
      : [...arrangements(others, carrier), ...arrangements(others, [['create']])]
  return arranged.map(([, ...later]): Story => [[create], ...later]).filter(isPossible)
}

const isCreation = (act: ActName): boolean => scopeOf(act) === 'create'

/** All ways to put acts, in their order, behind the first step of a story, between its steps and into them. */
function arrangements(acts: readonly ActName[], into: Story): Story[] {
  return acts.reduce<Story[]>((stories, act) => stories.flatMap((story) => withAct(story, act)), [into])
}

/** Acts at one moment have no order: they are named in the order of the list of acts. */
const atOneMoment = (step: Step): Step => step.toSorted((a, b) => actNames.indexOf(a) - actNames.indexOf(b))

function withAct(story: Story, act: ActName): Story[] {
  const places = [...story.keys()].slice(1)
  const between = [...places, story.length].map((at) => story.toSpliced(at, 0, [act]))
  const within = places.map((at) => story.with(at, atOneMoment([...(story[at] ?? []), act])))
  return [...between, ...within]
}

/** The stories with one act more, or with one act in place of another. */
function neighboursOf(story: Story, available: readonly ActName[]): Story[] {
  const later = available.filter((act) => !isCreation(act))
  const more = later.flatMap((act) => withAct(story, act))
  const other = story.flatMap((step, at) =>
    step.flatMap((_, within) => available.map((act) => story.with(at, step.with(within, act)))),
  )
  return [...more, ...other]
}

/** The pairs of acts that occur in a story, in their order. */
export function pairsIn(story: Story): string[] {
  const all = story.flat()
  return all.flatMap((act, index) => all.slice(index + 1).map((later) => `${act} > ${later}`))
}

/** What a search plays, and in which order: each hazard alone, pairs, then random stories of three hazards and random
 *  walks in turn with the pairs that are left. Random stories prefer the pairs that were tried least. The same seed gives
 *  the same stories. */
export class Plan {
  readonly #available: readonly ActName[]
  readonly #own: readonly ActName[]
  readonly #draw: Draw
  readonly #size: number
  readonly #mostActs: number
  readonly #tried = new Map<string, number>()
  readonly #played = new Set<string>()
  /** Stories that break a promise: what contains one of them shows nothing new. */
  readonly #known: Story[] = []
  /** What is played before any random story. */
  readonly #first: Batch[] = []
  /** Rarer pairs, which take turns with random stories. */
  readonly #later: Batch[] = []
  readonly #near: Story | null
  #turns = 0

  constructor({
    available,
    draw,
    size,
    mostActs,
    near = null,
  }: {
    readonly available: readonly ActName[]
    readonly draw: Draw
    /** How many stories are played beside each other at most. */
    readonly size: number
    /** The most acts of a random walk. */
    readonly mostActs: number
    /** The story around which the search looks; null to look everywhere. */
    readonly near?: Story | null
  }) {
    this.#available = available
    this.#own = available.filter((act) => scopeOf(act) === 'order')
    this.#draw = draw
    this.#size = size
    this.#mostActs = mostActs
    this.#near = near
    // The creation without trouble and the payment are in all stories.
    const hazards = available.filter((act) => act !== 'create' && act !== 'pay')
    const pairs = hazards.flatMap((one, index) =>
      hazards.slice(index).flatMap((other) => storiesOf(one, other)),
    )
    for (const story of pairs) for (const pair of pairsIn(story)) this.#tried.set(pair, 0)
    if (near === null) this.#everywhere(hazards, pairs)
    else this.#around(near)
  }

  /** Each hazard alone, then the pairs that can be tried many at a time, then the others. */
  #everywhere(hazards: readonly ActName[], pairs: readonly Story[]): void {
    const alone = this.#batches(hazards.flatMap((hazard) => storiesOf(hazard)))
    const ofPairs = this.#shuffled(this.#batches(pairs))
    const isLarge = ({ length }: Batch) => length * 4 >= this.#size
    const first = [...alone, ...ofPairs.filter(isLarge)]
    this.#first.push([carrier], ...first.map((batch) => this.#padded(batch)))
    this.#later.push(...ofPairs.filter((batch) => !isLarge(batch)))
  }

  /** The story itself, then with one act more or another one, then with two changes. */
  #around(near: Story): void {
    const changed = (story: Story) => neighboursOf(story, this.#available).filter(isPossible)
    const once = changed(near)
    this.#first.push([near], ...this.#batches(once), ...this.#batches(once.flatMap(changed)))
  }

  /** The number of pairs of acts that no story has had yet. */
  get pairsLeft(): number {
    return [...this.#tried.values()].filter((times) => times === 0).length
  }

  /** Leaves stories out that contain this one. */
  avoid(story: Story): void {
    this.#known.push(story)
  }

  /** Whether a story contains one that is known to break a promise. */
  isKnown(story: Story): boolean {
    return this.#known.some((known) => contains(story, known))
  }

  /** The story with the application's job after each act, as its poller may have come; null if it has none. */
  withJobs(story: Story): Story | null {
    if (!this.#available.includes('reconcile')) return null
    return story.flatMap((step): Step[] => [step, ['reconcile']])
  }

  /** The next stories, which are to be played: their pairs count as tried. Null once there is nothing left that could
   *  show anything new.
   *  @param most how many there may be */
  next(most = Number.POSITIVE_INFINITY): Batch | null {
    for (let batch = this.#first.shift(); batch !== undefined; batch = this.#first.shift()) {
      const fresh = this.#fresh(batch)
      if (fresh.length > 0) return this.#taken(fresh.slice(0, most))
    }
    if (this.#near !== null) return null
    // Once every story contains a known one, no walk is new.
    for (let attempt = 0; attempt < 200; attempt++) {
      const fresh = this.#fresh(this.#turn())
      if (fresh.length > 0) return this.#taken(fresh.slice(0, most))
    }
    return null
  }

  /** In turn: a rare pair, three hazards in a short story, a long walk. */
  #turn(): Batch {
    this.#turns += 1
    const rare = this.#turns % 3 === 1 ? this.#later.shift() : undefined
    return rare === undefined ? this.#walkBatch(this.#turns % 3 === 0) : this.#padded(rare)
  }

  #taken(batch: Batch): Batch {
    for (const story of batch) {
      this.#played.add(storyText(story))
      for (const pair of pairsIn(story)) this.#tried.set(pair, (this.#tried.get(pair) ?? 0) + 1)
    }
    return batch
  }

  #fresh(batch: Batch): Batch {
    return distinct(batch).filter((story) => !this.isKnown(story) && !this.#played.has(storyText(story)))
  }

  /** Groups stories by their skeletons. */
  #batches(stories: readonly Story[]): Batch[] {
    return bySkeleton(distinct(stories)).flatMap((group) =>
      Array.from({ length: Math.ceil(group.length / this.#size) }, (_, n) =>
        group.slice(n * this.#size, (n + 1) * this.#size),
      ),
    )
  }

  /** Adds stories of the same skeleton to a small batch, since they cost little: with acts of the order at the end, or
   *  at the moment of another act. */
  #padded(batch: Batch): Batch {
    const missing = this.#size - batch.length
    const [first] = batch
    if (first === undefined || missing <= 0) return batch
    const skeleton = skeletonOf(first)
    const more = Array.from({ length: missing }, (): Story => {
      const ends = [...skeleton, ...Array.from({ length: 1 + this.#draw(2) }, () => [])]
      return this.#filled(ends)
    })
    return [...batch, ...more.filter(isPossible)]
  }

  #shuffled<T>(things: readonly T[]): T[] {
    const left = [...things]
    return things.flatMap(() => left.splice(this.#draw(left.length), 1))
  }

  /** Random stories of one skeleton. */
  #walkBatch(isLong: boolean): Batch {
    const length = isLong ? 4 + this.#draw(Math.max(1, this.#mostActs - 3)) : 4
    const skeleton = this.#skeleton(length)
    return Array.from({ length: this.#size }, () => this.#filled(skeleton)).filter(isPossible)
  }

  /** Steps of which some are left empty, for the acts of each order. */
  #skeleton(length: number): Story {
    const shared = this.#available.filter((act) => ['payer', 'client'].includes(scopeOf(act)))
    const creations = this.#available.filter(isCreation)
    const story: Step[] = [[this.#draw(4) === 0 ? this.#oneOf(creations) : 'create']]
    for (let step = 1; step <= length; step++) {
      const drawn = this.#draw(10)
      story.push(drawn < 2 ? ['pay'] : drawn < 4 ? [this.#oneOf(shared)] : [])
    }
    return keptPossible(story)
  }

  #filled(skeleton: Story): Story {
    const story: Step[] = []
    for (const [index, step] of skeleton.entries()) {
      const mayJoin = step.length > 0 && index > 0 && step.every((act) => takesMs(act) <= 1_000)
      const needed =
        step.length === 0 ? (this.#draw(5) === 0 ? 2 : 1) : mayJoin && this.#draw(4) === 0 ? 1 : 0
      let filled = step
      for (let nth = 1; nth <= needed; nth++) filled = this.#withOwn(filled, story)
      story.push(filled)
    }
    return story
  }

  /** A step with one more act of the order that is possible then; the step as it is if none of those drawn is. */
  #withOwn(step: Step, before: Story): Step {
    for (let attempt = 1; attempt <= 5; attempt++) {
      const act = this.#leastTried(this.#own, before.flat())
      const filled = atOneMoment([...step, act])
      if (isPossible(withoutEmptySteps([...before, filled]))) return filled
    }
    return step
  }

  /** Of a few acts that are drawn, the one that has followed the acts so far least often. */
  #leastTried(from: readonly ActName[], before: readonly ActName[]): ActName {
    const drawn = [this.#oneOf(from), this.#oneOf(from), this.#oneOf(from)]
    const tried = (act: ActName) =>
      before.reduce((sum, earlier) => sum + (this.#tried.get(`${earlier} > ${act}`) ?? 0), 0)
    return drawn.toSorted((a, b) => tried(a) - tried(b))[0] ?? this.#oneOf(from)
  }

  #oneOf(from: readonly ActName[]): ActName {
    return from[this.#draw(from.length)] ?? 'create'
  }
}

/** Empties the steps that are not possible when they come. */
function keptPossible(story: Story): Story {
  const kept: Step[] = []
  for (const step of story)
    kept.push(step.length === 0 || isPossible(withoutEmptySteps([...kept, step])) ? step : [])
  return kept
}

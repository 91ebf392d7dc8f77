import type { ActName } from '../stories/acts.ts'
import {
  type Batch,
  bySkeleton,
  distinct,
  isPossible,
  type Story,
  withoutEmptySteps,
} from '../stories/story.ts'

/** Makes a story smaller as long as it still breaks its promise.
 *  @param breaks plays stories of one skeleton, and says which of them break it
 *  @returns the smallest one found */
export async function shrunk(
  story: Story,
  breaks: (batch: Batch) => Promise<readonly boolean[]>,
): Promise<Story> {
  for (let least = story; ; ) {
    const smaller =
      (await firstThatBreaks(withoutMany(least), breaks)) ??
      (await firstThatBreaks(smallerThan(least), breaks)) ??
      (await firstThatBreaks(withoutTwo(least), breaks))
    if (smaller === null) return least
    least = smaller
  }
}

/** Plays candidates of one skeleton at a time.
 *  @returns the first candidate that breaks the promise; null if there is none */
async function firstThatBreaks(
  candidates: readonly Story[],
  breaks: (batch: Batch) => Promise<readonly boolean[]>,
): Promise<Story | null> {
  for (const group of bySkeleton(candidates)) {
    const broke = await breaks(group)
    const found = group.find((_, index) => broke[index])
    if (found !== undefined) return found
  }
  return null
}

/** The stories that are one act smaller, then those with a simpler act or without a common moment. */
export function smallerThan(story: Story): Story[] {
  const apart = story.flatMap((step, at) => {
    if (step.length < 2) return []
    const steps = step.map((act) => [act])
    return [story.toSpliced(at, 1, ...steps), story.toSpliced(at, 1, ...steps.toReversed())]
  })
  const simpler = story.flatMap((step, at) =>
    step.flatMap((act, within) => {
      const other = simplerActs[act]
      return other === undefined ? [] : [story.with(at, step.with(within, other))]
    }),
  )
  return distinct([...withoutOne(story), ...apart, ...simpler]).filter(isPossible)
}

/** The places of all acts but the creation. */
const placesIn = (story: Story): { at: number; within: number }[] =>
  story.flatMap((step, at) => step.map((_, within) => ({ at, within }))).slice(1)

const without = (story: Story, places: readonly { at: number; within: number }[]): Story =>
  withoutEmptySteps(
    story.map((step, at) =>
      step.filter((_, nth) => !places.some((place) => place.at === at && place.within === nth)),
    ),
  )

const withoutOne = (story: Story): Story[] => placesIn(story).map((place) => without(story, [place]))

/** The stories without a half or a quarter of their acts, as far as that is several at once. */
function withoutMany(story: Story): Story[] {
  const places = placesIn(story)
  const sizes = [2, 4].map((parts) => Math.floor(places.length / parts)).filter((size) => size > 1)
  const chunks = sizes.flatMap((size) =>
    Array.from({ length: Math.ceil(places.length / size) }, (_, n) => places.slice(n * size, (n + 1) * size)),
  )
  return chunks.map((chunk) => without(story, chunk)).filter(isPossible)
}

/** The most acts of a story of which every two are left out in turn. */
const mostForTwo = 6

/** The stories without two acts, of which one may need the other. */
function withoutTwo(story: Story): Story[] {
  if (placesIn(story).length > mostForTwo) return []
  return distinct(withoutOne(story).flatMap(withoutOne)).filter(isPossible)
}

/** Acts that do the same with less. */
const simplerActs: Partial<Readonly<Record<ActName, ActName>>> = {
  'create, answer lost': 'create',
  'create, call lost': 'create',
  'create, token expired': 'create',
  'a day passes': 'an hour passes',
  'an hour passes': 'a minute passes',
  fail: 'decline',
  'refund all': 'refund a part',
  'lookups answer HTML': 'lookups answer 503',
  'lookups answer 429': 'lookups answer 503',
}

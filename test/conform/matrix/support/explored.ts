import {
  type ExploreOptions,
  type ExploreReport,
  explore,
  type FoundStory,
} from '../../../../src/conform/index.ts'
import type { StoryBug } from './references.ts'
import type { Chosen } from './running-application.ts'
import { withApplication } from './with-application.ts'

/** The result of a search in a reference application. */
export interface Explored {
  readonly report: ExploreReport
  /** The end of what the application has written. */
  readonly log: string
}

/** Searches a reference application for stories that break a promise. */
export const explored = (chosen: Chosen, options: ExploreOptions): Promise<Explored> =>
  withApplication(chosen, async (emulator, application) => {
    const report = await explore(emulator, application.config, { ...options, process: application })
    return { report, log: application.log }
  })

/** What explore has to reach. */
export const least = { share: 0.7, medianActs: 4, repeats: 19 }

/** The story that a search ends with; null if it found none, or only what repeats seldom. */
export const findIn = ({ found }: ExploreReport): FoundStory | null =>
  found.find(({ seldom }) => !seldom) ?? null

/** What is wrong with a search in a broken application, one line each. That it finds nothing is no mistake by itself:
 *  most have to be found, not all. What it finds to repeat seldom it does not report as a failure either. */
export const mistakesInSearch = (report: ExploreReport): string[] => [
  ...cutShort(report),
  ...report.found.filter(({ seldom, repeats }) => !seldom && repeats.broke < least.repeats).map(told),
]

/** What is wrong with a search in a correct application, one line each.
 *  @param count the stories that it had to play */
export const mistakesInCorrect = (report: ExploreReport, count: number): string[] => [
  ...cutShort(report),
  ...report.found.map(told),
  ...(report.stories < count ? [`played ${report.stories} stories, and had to play ${count}`] : []),
]

const cutShort = ({ problems, stopped }: ExploreReport): string[] => [
  ...problems.map(({ member, message }) => `problem with ${member}: ${message}`),
  ...(stopped === null ? [] : [`was cut short: ${stopped.why}`]),
]

const told = (find: FoundStory): string =>
  `${find.promise}, ${find.did}, ${find.repeats.broke} of ${find.repeats.of}: ${wordsOf(find)}`

/** What is wrong with the finds of all searches together, one line each. */
export function mistakesInAll(searches: readonly Outcome[]): string[] {
  const { share, acts } = reachedIn(searches)
  return [
    ...(share < least.share ? [`found ${percent(share)}, and has to find ${percent(least.share)}`] : []),
    ...(acts !== null && acts > least.medianActs
      ? [`the median of the finds has ${acts} acts, and may have ${least.medianActs}`]
      : []),
  ]
}

/** How a search ended: the acts of its find, and how often that repeated; null if it found nothing. */
export type Outcome = { readonly acts: number; readonly repeats: number } | null

/** What searches have reached together: the share of the applications in which something was found, the median of the
 *  acts, and how often the finds repeated at least; null if nothing was found. */
export function reachedIn(searches: readonly Outcome[]) {
  const finds = searches.filter((find) => find !== null)
  const counts = finds.map(({ acts }) => acts).toSorted((a, b) => a - b)
  const middle = counts.slice(Math.floor((counts.length - 1) / 2), Math.floor(counts.length / 2) + 1)
  return {
    share: finds.length / Math.max(1, searches.length),
    acts: finds.length === 0 ? null : middle.reduce((sum, count) => sum + count, 0) / middle.length,
    repeats: finds.length === 0 ? null : Math.min(...finds.map(({ repeats }) => repeats)),
  }
}

export const percent = (share: number): string => `${Math.round(100 * share)} %`

/** The acts of a find, of which the creation is none. */
export const actsIn = ({ acts }: Pick<FoundStory, 'acts'>): number =>
  acts.flatMap((step) => (typeof step === 'string' ? [step] : step.together)).length - 1

/** The acts of a story in words, on one line. */
export function wordsOf({ acts, beside }: Pick<FoundStory, 'acts' | 'beside'>): string {
  const steps = acts.map((step) => (typeof step === 'string' ? step : step.together.join(' + ')))
  return `${steps.join('; ')}${beside === 1 ? '' : `; beside ${beside - 1} others`}`
}

/** Whether a search has found what the head of the patch says: all of it, the same promise broken by other acts, or
 *  another promise. */
export function likeItsHead(find: FoundStory, { story }: StoryBug): 'yes' | 'other acts' | 'other promise' {
  if (find.promise !== story.promise) return 'other promise'
  return wordsOf(find) === wordsOf({ acts: story.acts, beside: story.beside ?? 1 }) ? 'yes' : 'other acts'
}

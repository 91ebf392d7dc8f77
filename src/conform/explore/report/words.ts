import { spanWords } from '../../../domain/text/duration.ts'
import { plainLine } from '../../report/lines.ts'
import { actsIn, type StepText, stepText } from '../../stories/story.ts'
import type { ExploreReport, FoundStory } from '../report.ts'

/** A number with its noun: `5,104 stories`. */
export const counted = (count: number, one: string, many = `${one}s`): string =>
  `${count.toLocaleString('en')} ${count === 1 ? one : many}`

/** Formats how much was searched: `5,104 stories, 61 pairs of acts left · 3 min 10 s · seed 4f2ac1d0`. */
export const extentOf = ({ stories, pairsLeft, ms, seed }: ExploreReport): string =>
  `${counted(stories, 'story', 'stories')}, ${counted(pairsLeft, 'pair')} of acts left · ${spanWords(ms)} · seed ${plainLine(seed)}`

/** Formats the result of a search. It claims no more than was done. */
export function resultOf(report: ExploreReport): string {
  const { problems, stopped, found, stories, pairsLeft, unrepeated } = report
  if (problems.length > 0 && stories === 0) return 'The configuration has problems, so no story was played.'
  if (found.length > 0) return foundResult(found)
  if (problems.length > 0)
    return 'A problem in the configuration ended the search. Until then, no story broke a promise.'
  if (stopped !== null) return 'Your application ended the search. Until then, no story broke a promise.'
  if (stories === 0) return 'No story was played.'
  const pairs =
    pairsLeft === 0
      ? 'Every pair of acts was tried; of longer combinations, only some were.'
      : `${counted(pairsLeft, 'pair')} of acts ${pairsLeft === 1 ? 'was' : 'were'} not tried.`
  const once =
    unrepeated === 0
      ? ''
      : ` ${counted(unrepeated, 'story', 'stories')} broke a promise once and not again when repeated, which counts for nothing.`
  return `Nothing found in ${counted(stories, 'story', 'stories')}. ${pairs}${once}`
}

function foundResult(found: readonly FoundStory[]): string {
  const seldom = found.filter((each) => each.seldom).length
  const failures = found.length - seldom
  const words = [
    ...(failures > 0 ? [`${counted(failures, 'story', 'stories')} that ${breaks(failures)} a promise`] : []),
    ...(seldom > 0
      ? [
          `${counted(seldom, 'story', 'stories')} that ${breaks(seldom)} a promise seldom, which is no failure`,
        ]
      : []),
  ]
  return `Found ${words.join(', and ')}.`
}

const breaks = (count: number): string => (count === 1 ? 'breaks' : 'break')

/** The word for a find. */
export const labelOf = ({ seldom }: FoundStory): 'FOUND' | 'SELDOM' => (seldom ? 'SELDOM' : 'FOUND')

/** Formats where a story was found, and how reliably it breaks its promise: `story 5,071, shrunk from 11 acts to 3,
 *  repeats 20 of 20`. */
export function originOf({ acts, foundAt, foundWith, repeats, beside }: FoundStory): string {
  const left = actsIn(acts)
  const size =
    left === foundWith ? counted(left, 'act') : `shrunk from ${counted(foundWith, 'act')} to ${left}`
  const company = beside === 1 ? '' : ` beside ${counted(beside - 1, 'story', 'stories')} like it`
  return `story ${foundAt.toLocaleString('en')}, ${size}, repeats ${repeats.broke} of ${repeats.of}${company}`
}

/** A step in words, on one line. */
const stepWords = (step: StepText): string =>
  plainLine(typeof step === 'string' ? step : `${stepText(step)} (at the same moment)`)

/** A story on one line. */
const storyWords = (story: readonly StepText[]): string => story.map(stepWords).join('; ')

/** A step of a found story, as reports show it. */
interface StepRow {
  /** `1`, `2`, ...; empty for the creation, which no count of acts includes. */
  readonly number: string
  readonly act: string
  /** What happened; empty if nothing was seen. */
  readonly seen: string
}

export const stepRows = ({ acts, seen }: FoundStory): StepRow[] =>
  acts.map((step, index) => ({
    number: index === 0 ? '' : String(index),
    act: stepWords(step),
    seen: plainLine(seen[index] ?? ''),
  }))

/** The lines that say which acts no story had, and why. */
export const leftOutLines = ({ leftOut }: ExploreReport): string[] =>
  leftOut.map(({ acts, why }) => plainLine(`${acts.join(' · ')}: ${why}`))

/** The stories of a search that ended early which a report shows; very many tell nothing more. */
const shownStories = 8

/** The lines of the last stories, which ran beside each other. */
export function lastStoryLines({ stopped }: ExploreReport): string[] {
  if (stopped === null) return []
  const lines = stopped.lastStories.slice(0, shownStories).map(storyWords)
  const more = stopped.lastStories.length - lines.length
  return more > 0 ? [...lines, `and ${more} more`] : lines
}

/** Stands before the last stories. */
export const lastStoriesTitle = 'The last stories, which ran beside each other:'

/** Stands before the acts that no story had. */
export const leftOutTitle = 'Acts that no story had'

/** The headline for a wrong configuration; null if it is valid. */
export function problemHeadline({ problems, stories }: ExploreReport): string | null {
  if (problems.length === 0) return null
  return stories === 0
    ? 'The configuration has problems, so no story was played. Fix these and run `explore` again:'
    : 'The configuration turned out to have problems, which ended the search. Fix these and run `explore` again:'
}

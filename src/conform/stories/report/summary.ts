import { plainLine } from '../../report/lines.ts'
import { countWords, secondsOf } from '../../report/summary.ts'
import { stepText } from '../story.ts'
import type { StoryReport, StoryResult } from './report.ts'

/** Formats the result of a run on one line: `3 stories: 2 passed, 1 failed in 14 s; seed 1a2b3c4d`. */
export function summaryOf({ stories, ms, seed }: StoryReport): string {
  const counts = { PASS: 0, FAIL: 0, WARN: 0, 'NOT-SEEN': 0 }
  for (const { verdict } of stories) counts[verdict] += 1
  const count = stories.length === 1 ? '1 story' : `${stories.length} stories`
  const words = stories.length === 0 ? 'No story was played' : `${count}: ${countWords(counts)}`
  return `${sawNothing(stories) ? 'No story could be played. ' : ''}${words} in ${secondsOf(ms)}; seed ${plainLine(seed)}`
}

/** Whether there are stories, and none of them could be played. */
export const sawNothing = (stories: readonly StoryResult[]): boolean =>
  stories.length > 0 && stories.every(({ verdict }) => verdict === 'NOT-SEEN')

/** The headline for a wrong configuration; null if it is valid. */
export function problemHeadline({ problems, stories }: StoryReport): string | null {
  if (problems.length === 0) return null
  return stories.length === 0
    ? 'The configuration or a story file has problems, so no story was played. Fix these and run `conform --story` again:'
    : 'Problems in the configuration showed up during the run, which ended it. Fix these and run `conform --story` again:'
}

/** The remark that a report shows beside a story; empty if there is none. */
export function remarkOn({ verdict, broken, note, times }: StoryResult): string {
  if (verdict === 'PASS') return `kept all promises ${times === 1 ? 'once' : `${times} times`}`
  if (broken === null) return plainLine(note ?? '')
  return `${broken.title}: ${plainLine(broken.did)}${broken.time > 1 ? ` (the time ${broken.time})` : ''}`
}

/** The facts about a broken promise, with labels. */
export function factsOf({ broken, note, requestId }: StoryResult): (readonly [string, string])[] {
  if (broken === null) return []
  const { did, should, why, promise } = broken
  return [
    ['It did', plainLine(did)],
    ['It should', should],
    ['Why it matters', why],
    ['Promise', note === null ? promise : `${promise}; ${plainLine(note)}`],
    ...(requestId === null ? [] : [['Order', plainLine(requestId)] as const]),
  ]
}

/** The acts of a story, and what was seen at each. */
export const stepsOf = ({ acts, seen }: StoryResult): { act: string; seen: string }[] =>
  acts.map((step, index) => ({ act: plainLine(stepText(step)), seen: plainLine(seen[index] ?? '') }))

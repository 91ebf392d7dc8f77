import { element, xmlText } from '../../../domain/text/markup.ts'
import { junitDocument, junitError, junitProblem, junitSeconds } from '../../report/junit-report.ts'
import { plainLine } from '../../report/lines.ts'
import { promises } from '../../stories/promises.ts'
import type { ExploreReport, FoundStory } from '../report.ts'
import { foundInText } from './terminal-report.ts'
import { extentOf, lastStoriesTitle, lastStoryLines, problemHeadline, resultOf } from './words.ts'

/** Formats the report of a search as JUnit XML: a test case for each promise. It fails with the stories that break the
 *  promise, passes with those that break it seldom as output, and is skipped if no story was played. Configuration
 *  problems, and an application that ended the search, are errors. */
export function junitReport(report: ExploreReport): string {
  const { found, problems, stories } = report
  const isPlayed = stories > 0 || found.length > 0
  return junitDocument(report, {
    command: 'explore',
    summary: `${extentOf(report)}: ${resultOf(report)}`,
    failures: promises.filter(({ id }) => failuresOf(id, found).length > 0).length,
    skipped: isPlayed ? 0 : promises.length,
    errors: [
      ...problems.map((problem) => junitProblem('explore', problem, problemHeadline(report) ?? '')),
      ...stoppedElements(report),
    ],
    cases: promises.map(({ id, should }) =>
      element(
        'testcase',
        { classname: 'explore', name: `${id}: ${should}`, time: junitSeconds(0) },
        isPlayed ? outcomeOf(id, found) : [element('skipped', { message: 'no story was played' })],
      ),
    ),
    output: '',
  })
}

const failuresOf = (promise: string, found: readonly FoundStory[]): FoundStory[] =>
  found.filter((each) => each.promise === promise && !each.seldom)

function outcomeOf(promise: string, found: readonly FoundStory[]): string[] {
  const finds = found.filter((each) => each.promise === promise)
  if (finds.length === 0) return []
  const text = xmlText(foundInText(finds))
  const [first, ...others] = failuresOf(promise, found)
  if (first === undefined) return [element('system-out', {}, [text])]
  const more = others.length === 0 ? '' : ` (and ${others.length} more)`
  return [
    element('failure', { type: promise, message: plainLine(`${first.title}: ${first.did}${more}`) }, [text]),
  ]
}

function stoppedElements(report: ExploreReport): string[] {
  const { stopped } = report
  if (stopped === null) return []
  const message = plainLine(stopped.why)
  const stories = lastStoryLines(report)
  const text = stories.length === 0 ? message : [message, lastStoriesTitle, ...stories].join('\n')
  return [junitError('explore', 'the search ends by itself', { type: 'stopped', message, text })]
}

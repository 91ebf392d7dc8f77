import { element, xmlText } from '../../../domain/text/markup.ts'
import { junitDocument, junitError, junitSeconds } from '../../report/junit-report.ts'
import { plainLine } from '../../report/lines.ts'
import type { StoryReport, StoryResult } from './report.ts'
import { problemHeadline, remarkOn, sawNothing, summaryOf } from './summary.ts'
import { storyInText } from './terminal-report.ts'

/** Formats the report as JUnit XML: a failed story is a failure with its explanation, a NOT-SEEN is skipped with its
 *  reason. Problems, and a run that could play no story, are errors. */
export function storyJunitReport(report: StoryReport): string {
  const { stories, problems } = report
  const summary = summaryOf(report)
  const count = (verdict: StoryResult['verdict']) =>
    stories.filter((result) => result.verdict === verdict).length
  return junitDocument(report, {
    ...{ command: 'conform', name: 'conform stories', summary },
    failures: count('FAIL'),
    skipped: count('NOT-SEEN'),
    errors: [
      ...problems.map(({ member, message }) =>
        junitError('conform.stories', `configuration: ${plainLine(member)}`, {
          ...{ type: 'configuration', message: plainLine(`${member}: ${message}`) },
          text: problemHeadline(report) ?? '',
        }),
      ),
      ...(sawNothing(stories)
        ? [
            junitError('conform.stories', 'no story could be played', {
              ...{ type: 'saw-nothing', message: 'No story could be played', text: summary },
            }),
          ]
        : []),
    ],
    cases: stories.map(storyElement),
    output: '',
  })
}

function storyElement(result: StoryResult): string {
  const { name, ms, broken, verdict } = result
  const message = remarkOn(result)
  const inside =
    broken !== null
      ? [element('failure', { type: broken.promise, message }, [xmlText(storyInText(result))])]
      : verdict === 'NOT-SEEN'
        ? [element('skipped', { message })]
        : []
  const attributes = { classname: 'conform.story', name: plainLine(name), time: junitSeconds(ms) }
  return element('testcase', attributes, inside)
}

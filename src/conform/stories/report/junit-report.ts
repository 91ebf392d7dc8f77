import { element, xmlText } from '../../../domain/text/markup.ts'
import { plainLine } from '../../report/lines.ts'
import type { StoryReport, StoryResult } from './report.ts'
import { problemHeadline, remarkOn, sawNothing, summaryOf } from './summary.ts'
import { storyInText } from './terminal-report.ts'

/** Formats the report as JUnit XML: a failed story is a failure with its explanation, a NOT-SEEN is skipped with its
 *  reason. Problems, and a run that could play no story, are errors. */
export function storyJunitReport(report: StoryReport): string {
  const { stories, problems, ms } = report
  const nothing = sawNothing(stories)
  const count = (verdict: StoryResult['verdict']) =>
    stories.filter((result) => result.verdict === verdict).length
  const errors = problems.length + (nothing ? 1 : 0)
  const outer = { tests: stories.length + errors, failures: count('FAIL'), errors, time: seconds(ms) }
  const timestamp = new Date(report.startedAt).toISOString().slice(0, 19)
  const attributes = { name: 'conform stories', ...outer, skipped: count('NOT-SEEN'), timestamp }
  const suite = element('testsuite', attributes, [
    element('properties', {}, propertiesOf(report)),
    ...problems.map(({ member, message }) =>
      errorElement(`configuration: ${plainLine(member)}`, {
        type: 'configuration',
        message: plainLine(`${member}: ${message}`),
        text: problemHeadline(report) ?? '',
      }),
    ),
    ...(nothing
      ? [
          errorElement('no story could be played', {
            type: 'saw-nothing',
            message: 'No story could be played',
            text: summaryOf(report),
          }),
        ]
      : []),
    ...stories.map(storyElement),
  ])
  const suites = element('testsuites', { name: 'payment-order-emulator conform', ...outer }, [suite])
  return `<?xml version="1.0" encoding="UTF-8"?>\n${suites}\n`
}

const seconds = (ms: number): string => (ms / 1_000).toFixed(3)

function propertiesOf(report: StoryReport): string[] {
  const { seed, emulator, clientId } = report
  const named = { summary: summaryOf(report), seed, emulator, clientId }
  return Object.entries(named).map(([name, value]) => element('property', { name, value: plainLine(value) }))
}

function errorElement(
  name: string,
  { type, message, text }: { type: string; message: string; text: string },
): string {
  return element('testcase', { classname: 'conform.stories', name, time: seconds(0) }, [
    element('error', { type, message }, [xmlText(text)]),
  ])
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
  return element('testcase', { classname: 'conform.story', name: plainLine(name), time: seconds(ms) }, inside)
}

import { expect, test } from 'vitest'
import { junitReport } from '../../../../src/conform/explore/report/junit-report.ts'
import { promises } from '../../../../src/conform/stories/promises.ts'
import {
  foundStory,
  hostileSearch,
  sampleSearch,
  seldomStory,
  stoppedSearch,
} from '../../support/sample-search.ts'

const count = promises.length

/** The elements that are open at the end; fails if one is closed that is not open. */
function leftOpen(xml: string): string[] {
  const open: string[] = []
  for (const [, end, name = '', empty] of xml.matchAll(/<(\/?)([\w-]+)(?:\s[^<>]*?)?(\/?)>/g)) {
    if (end === '') empty === '' && open.push(name)
    else expect(open.pop()).toBe(name)
  }
  return open
}

test('has a test case for each promise: broken, seldom broken, kept', () => {
  const xml = junitReport(sampleSearch())
  expect(xml).toContain(`<testsuite name="explore" tests="${count}" failures="1" errors="0" skipped="0"`)
  expect(xml).toContain(
    '<testcase classname="explore" name="released-once: Release at most once for each paid charge." time="0.000"><failure type="released-once" message="released twice: released 2, paid 1">FOUND  released twice\n',
  )
  expect(xml).toMatch(/<testcase [^>]*name="released-in-the-end: [^>]*><system-out>SELDOM never released\n/)
  expect(xml).toMatch(/<testcase [^>]*name="keeps-secrets: [^>]*\/>/)
  expect(leftOpen(xml)).toEqual([])
})

test('several stories that break one promise are one failure', () => {
  const xml = junitReport(sampleSearch([foundStory, { ...foundStory, did: 'released 3, paid 1' }]))
  expect(xml).toContain('message="released twice: released 2, paid 1 (and 1 more)"')
  expect(xml.match(/<failure/g)).toHaveLength(1)
  expect(xml).toContain('released 3, paid 1')
})

test('a seldom find is no failure', () => {
  expect(junitReport(sampleSearch([seldomStory]))).toContain('failures="0"')
})

test('a wrong configuration is an error, and no promise passes', () => {
  const problems = [{ member: 'probe.effects', message: 'add it' }]
  const xml = junitReport(sampleSearch([], { problems, stories: 0, ok: false }))
  expect(xml).toContain(`tests="${count + 1}" failures="0" errors="1" skipped="${count}"`)
  expect(xml).toContain('<error type="configuration" message="probe.effects: add it">')
  expect(xml.match(/<skipped message="no story was played"\/>/g)).toHaveLength(count)
})

test('an application that ended the search is an error', () => {
  const xml = junitReport(stoppedSearch())
  expect(xml).toContain('<error type="stopped" message="your application accepts no connections any more">')
  expect(xml).toContain('errors="1"')
})

test('holds nothing that XML cannot hold, and nothing steers a terminal', () => {
  const xml = junitReport(hostileSearch())
  expect(xml).not.toMatch(/[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/u)
  expect(xml).not.toMatch(/<script|<img|]]>|&(?!(?:amp|lt|gt|quot|#13|#10|#9);)/)
  expect(xml).not.toMatch(/[^\P{Cc}\n]|\p{Cf}/u)
  expect(leftOpen(xml)).toEqual([])
})

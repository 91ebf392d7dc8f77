import { expect, test } from 'vitest'
import { storyHtmlReport } from '../../../src/conform/stories/report/html-report.tsx'
import { storyJunitReport } from '../../../src/conform/stories/report/junit-report.ts'
import { storyMarkdownReport } from '../../../src/conform/stories/report/markdown-report.ts'
import type { StoryReport, StoryResult } from '../../../src/conform/stories/report/report.ts'
import { storyTerminalReport } from '../../../src/conform/stories/report/terminal-report.ts'

const passed: StoryResult = {
  ...{ name: 'paid-late', file: 'found/paid-late.yaml', acts: ['create', 'pay'], promise: 'released-once' },
  ...{ verdict: 'PASS', broken: null, note: null, seen: [], times: 5, requestId: 'r1' },
  ...{ sequence: null, again: null, ms: 900 },
}

const failed: StoryResult = {
  ...passed,
  name: 'released-twice',
  acts: ['create', 'pay', { together: ['reconcile', 'the browser returns'] }],
  verdict: 'FAIL',
  broken: {
    ...{ promise: 'released-once', title: 'released twice', did: 'released 2, paid 1', time: 3 },
    should: 'Release at most once for each paid charge.',
    why: 'Every release beyond the first is goods that nobody paid for.',
  },
  seen: ['order CREATED', 'order COMPLETED; webhook COMPLETED held', 'released 2, "paid"'],
  times: 3,
  again: 'payment-order-emulator conform --story found/released-twice.yaml --seed 1a2b',
}

const unseen: StoryResult = {
  ...passed,
  ...{ name: 'restarted', verdict: 'NOT-SEEN', times: 0, requestId: null },
  note: '`restart`: give the command that starts your application after `--`',
}

const reportOf = (stories: readonly StoryResult[], problems: StoryReport['problems'] = []): StoryReport => ({
  ok: stories.every(({ verdict }) => verdict === 'PASS'),
  ...{ seed: '1a2b', emulator: 'http://127.0.0.1:4600', clientId: 'shop', startedAt: 1_790_000_000_000 },
  ...{ ms: 14_200, problems, stories },
})

/** A report in which every text of the application is hostile. */
const hostile = reportOf([
  {
    ...failed,
    broken: failed.broken && { ...failed.broken, did: '<script>\u001b]0;x\u0007</script>\n| `it`' },
    seen: ['<img src=x>\u202e', '', ''],
    note: '<b>\u0000',
    requestId: '"><script>',
  },
])

test('a terminal of 80 columns', () => {
  const text = storyTerminalReport(reportOf([passed, failed, unseen]), { colours: false, columns: 80 })
  expect(text).toBe(`PASS      paid-late
          kept all promises 5 times
FAIL      released-twice
          released twice: released 2, paid 1 (the time 3)
NOT-SEEN  restarted
          \`restart\`: give the command that starts your application after \`--\`

released-twice: released twice

  1. create
       order CREATED
  2. pay
       order COMPLETED; webhook COMPLETED held
  3. reconcile + the browser returns
       released 2, "paid"

  It did          released 2, paid 1
  It should       Release at most once for each paid charge.
  Why it matters  Every release beyond the first is goods that nobody paid for.
  Promise         released-once
  Order           r1

Play only this story again:
payment-order-emulator conform --story found/released-twice.yaml --seed 1a2b

3 stories: 1 passed, 1 failed, 1 skipped in 14 s; seed 1a2b`)
})

test('a narrow terminal wraps all but commands', () => {
  const text = storyTerminalReport(reportOf([failed, unseen]), { colours: false, columns: 50 })
  const long = text.split('\n').filter((line) => line.length > 50)
  expect(long).toEqual([failed.again])
})

test('JUnit XML tells failures, skips and a run that played nothing', () => {
  const xml = storyJunitReport(reportOf([passed, failed, unseen]))
  expect(xml).toContain('tests="3" failures="1" errors="0"')
  expect(xml).toContain(
    '<failure type="released-once" message="released twice: released 2, paid 1 (the time 3)">',
  )
  expect(xml).toContain('<skipped message="`restart`: give the command')
  const nothing = storyJunitReport(reportOf([unseen]))
  expect(nothing).toContain('tests="2" failures="0" errors="1"')
  expect(nothing).toContain('<error type="saw-nothing" message="No story could be played">')
  const problem = storyJunitReport(reportOf([], [{ member: 'probe', message: 'is missing' }]))
  expect(problem).toContain('<error type="configuration" message="probe: is missing">')
})

test('HTML opens what failed, and shows problems', () => {
  const html = storyHtmlReport(reportOf([passed, failed]))
  expect(html).toContain('<details open=""><summary><span class="badge FAIL">')
  expect(html).toContain('<li>reconcile + the browser returns <span class="faint">released 2, ')
  expect(storyHtmlReport(reportOf([], [{ member: 'probe', message: '<b>' }]))).toContain(
    '<code>probe</code>: &lt;b&gt;',
  )
})

test('what an application says stays text in every report', () => {
  const xml = storyJunitReport(hostile)
  const html = storyHtmlReport(hostile)
  for (const text of [xml, html]) expect(text).not.toMatch(/<script|<img|<b>/)
  const terminal = storyTerminalReport(hostile, { colours: false, columns: null })
  const markdown = storyMarkdownReport(hostile)
  for (const text of [xml, html, terminal, markdown]) expect(text).not.toMatch(/[^\P{Cc}\n]|\p{Cf}/u)
  expect(markdown).toContain('| released-twice | ❌ FAIL | released twice: \\<script\\>')
})

import { expect, test } from 'vitest'
import { readTestReport } from '../../src/sweep/test-report.ts'

test('JUnit XML: failures and errors of cases, entities, CDATA, and cases without content', () => {
  const report = readTestReport(`<?xml version="1.0"?>
    <testsuites><testsuite name="s" tests="4">
      <testcase name="passes" classname="shop"/>
      <testcase name="a &gt; b &#x26; &#39;c&#39;" file="shop.test.ts"><failure message="expected 1&#10;  &lt; 2&#10;  at shop.ts:7"/></testcase>
      <testcase name='quoted "name"' classname="shop"><error><![CDATA[Boom <b>
second line]]></error></testcase>
      <testcase name="skipped" classname="shop"><skipped/></testcase>
    </testsuite></testsuites>`)
  expect(report).toEqual({
    tests: 4,
    failed: [
      { name: "shop.test.ts: a > b & 'c'", message: 'expected 1 < 2' },
      { name: 'shop: quoted "name"', message: 'Boom <b> second line' },
    ],
    spans: [],
  })
})

test('JSON of vitest and jest: failed tests, and files that could not be loaded', () => {
  const report = readTestReport(
    JSON.stringify({
      testResults: [
        {
          name: '/x/test/shop.test.ts',
          status: 'failed',
          assertionResults: [
            { status: 'passed', fullName: 'a', failureMessages: [] },
            {
              status: 'failed',
              fullName: 'ships one parcel',
              failureMessages: ['expected 1, got 2\n at x.ts'],
            },
          ],
        },
        { name: '/x/test/broken.test.ts', status: 'failed', assertionResults: [], message: 'cannot find it' },
      ],
    }),
  )
  expect(report).toEqual({
    tests: 2,
    failed: [
      { name: 'test/shop.test.ts: ships one parcel', message: 'expected 1, got 2' },
      { name: 'test/broken.test.ts', message: 'cannot find it' },
    ],
    spans: [],
  })
})

test.each([
  ['jest', { startTime: 0, endTime: 900 }, [{ startAt: 300 }, { startAt: 500 }], [300, 400, 500, 600]],
  ['vitest', { startTime: 300, endTime: 501 }, [{}, {}], [300, 400, 400, 500]],
  ['vitest, tests that ran at once', { startTime: 300, endTime: 401 }, [{}, {}], [300, 401]],
])('JSON of %s: when tests ran', (_, file, [first, second], moments) => {
  const assertionResults = [
    { ...first, status: 'passed', duration: 100 },
    { ...second, status: 'failed', duration: 100, failureMessages: ['no'] },
    { status: 'skipped' },
  ]
  const report = readTestReport(
    JSON.stringify({ testResults: [{ ...file, name: 'x', status: 'failed', assertionResults }] }),
  )
  expect(report?.spans.flatMap(({ from, to }) => [from, to])).toEqual(moments)
  expect(report?.spans.map(({ passed }) => passed)).toEqual(moments.length === 2 ? [false] : [true, false])
})

test('TAP: what is not ok, but not what is to be done or skipped', () => {
  const report = readTestReport(
    [
      'TAP version 14',
      '1..4',
      'ok 1 - passes',
      'not ok 2 - ships one parcel',
      '  ---',
      "  error: 'expected 1, got 2'",
      '  ...',
      'not ok 3 - later # TODO',
      'ok 4 - other # SKIP',
    ].join('\n'),
  )
  expect(report).toEqual({
    tests: 4,
    failed: [{ name: 'ships one parcel', message: 'expected 1, got 2' }],
    spans: [],
  })
})

test.each(['', 'all good', '<html></html>', '{}', '{"testResults":', '[1]'])('%j is no report', (text) => {
  expect(readTestReport(text)).toBeNull()
})

import { expect, test } from 'vitest'
import { junitReport } from '../../../src/conform/report/junit-report.ts'
import { hostileReport, sampleReport } from '../support/sample-report.ts'

test('tells a run', async () => {
  await expect(junitReport(sampleReport())).toMatchFileSnapshot('../golden/junit.xml')
})

test('holds nothing that XML cannot hold, whatever an application answers', () => {
  const xml = junitReport(hostileReport())
  expect(xml).not.toMatch(/[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/u)
  expect(xml).not.toMatch(/<script|<img|]]>|&(?!(?:amp|lt|gt|quot|#13|#10|#9);)/)
  expect(xml.match(/<\/failure>/g)).toHaveLength(1)
})

test('nothing in its attributes steers a terminal', () => {
  for (const [attribute] of junitReport(hostileReport()).matchAll(/ \w+="[^"]*"/g))
    expect(attribute).not.toMatch(/[\p{Cc}\p{Cf}]|&#1[03];/u)
})

test('the outer element has only the attributes that strict readers know', () => {
  const [, attributes = ''] = /<testsuites ([^>]*)>/.exec(junitReport(sampleReport())) ?? []
  const names = [...attributes.matchAll(/(\w+)="/g)].map(([, name]) => name)
  expect(names).toEqual(['name', 'tests', 'failures', 'errors', 'time'])
})

test('a wrong configuration is an error, and no failure', () => {
  const xml = junitReport(sampleReport([], [{ member: 'probe.url', message: '404 for an order' }]))
  expect(xml).toContain('failures="0" errors="1"')
  expect(xml).toContain('<error type="configuration" message="probe.url: 404 for an order">')
})

test('a run that saw too little is an error', () => {
  const unseen = sampleReport().cases.filter(({ verdict }) => verdict === 'NOT-SEEN')
  const xml = junitReport({ ...sampleReport(unseen), ok: false, sawTooLittle: true })
  expect(xml).toContain('tests="2" failures="0" errors="1"')
  expect(xml).toContain('<error type="saw-too-little" message="No case was observable">')
})

test('a run that saw fewer than half of its cases says so first, though it saw enough', () => {
  const [passed, , , unseen] = sampleReport().cases
  if (passed === undefined || unseen === undefined) throw new Error('the sample report has other cases')
  const xml = junitReport(sampleReport([passed, unseen, { ...unseen, id: 'K05' }]))
  expect(xml).toMatch(
    /<properties><property name="summary" value="Only 1 of 3 cases were observable\. 1 passed/,
  )
})

test('how to use the commands of findings stands once', () => {
  expect(junitReport(sampleReport()).match(/The signature is valid for 5 minutes/g)).toHaveLength(1)
})

import { stripVTControlCharacters } from 'node:util'
import { expect, test } from 'vitest'
import { terminalReport } from '../../../src/conform/report/terminal-report.ts'
import { hostileReport, sampleCases, sampleReport, sentWebhook } from '../support/sample-report.ts'

const plain = { colours: false, columns: 80 }

test('tells a run at 80 columns', async () => {
  const text = terminalReport(sampleReport(), plain)
  await expect(`${text}\n`).toMatchFileSnapshot('../golden/terminal-80.txt')
})

test.each([80, 120])('at %d columns only commands are longer than a line', (columns) => {
  const long = terminalReport(sampleReport(), { colours: false, columns })
    .split('\n')
    .filter((line) => line.length > columns)
  expect(long.filter((line) => !line.startsWith('curl'))).toEqual([])
})

test('without columns no sentence is broken', () => {
  const text = terminalReport(sampleReport(), { colours: false, columns: null })
  expect(text).toContain('accepted, and arrives again with the same id and the same bytes.')
})

test('colours change nothing but the look', () => {
  const dressed = terminalReport(sampleReport(), { colours: true, columns: 80 })
  expect(dressed).not.toBe(stripVTControlCharacters(dressed))
  expect(stripVTControlCharacters(dressed)).toBe(terminalReport(sampleReport(), plain))
})

test('nothing from outside steers the terminal', () => {
  expect(terminalReport(hostileReport(), plain)).not.toMatch(/[^\P{Cc}\n]|\p{Cf}|\p{Cs}|[\u2028\u2029]/u)
})

test('a wrong configuration reads like no verdict', () => {
  const problems = [{ member: 'probe.status', message: 'the answer has nothing at /status: {}' }]
  const text = terminalReport(sampleReport([], problems), plain)
  expect(text).toContain('The configuration has problems, so no test case ran.')
  expect(text).toContain('probe.status: the answer has nothing at /status: {}')
  expect(text).not.toMatch(/PASS|FAIL|WARN|NOT-SEEN|passed|failed/)
})

test('what only came out on the way is told before the verdicts', () => {
  const problems = [{ member: 'probe.statuses', message: 'the application says "odd"' }]
  const text = terminalReport(sampleReport(sampleCases, problems), plain)
  expect(text.indexOf('these verdicts are not final')).toBeLessThan(text.indexOf('K01'))
})

test('a warning is explained where its case ran alone', () => {
  const [warning] = sampleCases.filter(({ verdict }) => verdict === 'WARN')
  const alone = terminalReport(sampleReport(warning && [warning]), plain)
  expect(alone).toContain('Run only this case again:')
})

test('of a body of 256 KB the beginning is shown, and how much more there is', () => {
  const cases = sampleCases.map((result) =>
    result.finding === null
      ? result
      : { ...result, finding: { ...result.finding, sent: { ...sentWebhook, body: 'x'.repeat(262_144) } } },
  )
  const text = terminalReport(sampleReport(cases), plain)
  expect(text.length).toBeLessThan(6_000)
  expect(text).toContain('(the first 2,000 of 262,144 characters; the JSON report has all of')
  expect(text).toContain('; reads the body from\nthe emulator):')
  expect(text).toMatch(/that reads\s+the body from the emulator works while that runs/)
})

test('how to use the commands of findings stands once, after all of them', () => {
  const [, failed] = sampleCases
  if (failed === undefined) throw new Error('the sample report has other cases')
  const text = terminalReport(sampleReport([failed, { ...failed, id: 'K09' }]), plain)
  const places = (words: string) => [...text.matchAll(new RegExp(words, 'g'))].map(({ index }) => index)
  expect(places('valid for 5 minutes')).toHaveLength(1)
  expect(places('\nSend the same bytes again')).toHaveLength(2)
  expect(places('How to send a webhook again')[0]).toBeGreaterThan(places('Run only this case again')[1] ?? 0)
})

test('where the emulator ends with the run, no hint names a command that is not there', () => {
  const cases = sampleCases.map((result) =>
    result.finding === null ? result : { ...result, finding: { ...result.finding, resend: null } },
  )
  const text = terminalReport(sampleReport(cases), plain)
  expect(text).toContain('Send the same bytes again: The signature is valid for 5 minutes.\n')
  expect(text).not.toMatch(/new (one|signature)|Start your application/)
})

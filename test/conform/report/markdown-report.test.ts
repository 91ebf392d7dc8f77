import { expect, test } from 'vitest'
import { markdownReport } from '../../../src/conform/report/markdown-report.ts'
import { hostileReport, sampleCases, sampleReport } from '../support/sample-report.ts'

test('tells a run', async () => {
  await expect(markdownReport(sampleReport())).toMatchFileSnapshot('../golden/summary.md')
})

/** The report without its code blocks, in which nothing is markup. */
const outsideOfCode = (markdown: string) => markdown.replaceAll(/^(`{3,})text\n[\s\S]*?\n\1$/gm, '')

test('nothing that an application answers becomes markup', () => {
  const markdown = markdownReport(hostileReport())
  expect(outsideOfCode(markdown)).not.toMatch(/(?<!\\)<(?!details>|\/?summary>|\/details>)/)
  expect(markdown).not.toMatch(/[^\P{Cc}\n]|\p{Cf}|\p{Cs}|[\u2028\u2029]/u)
})

test.each([
  'a | b',
  '`code`',
  '<b>',
  '[link](https://a.test)',
  '*loud*',
  'a\n| b',
  '$x$',
  'www.a.test',
  '&lt;',
])('the remark %j stays in its cell, as it is', (note) => {
  const cases = sampleCases.filter(({ verdict }) => verdict === 'NOT-SEEN').map((each) => ({ ...each, note }))
  const row = markdownReport(sampleReport(cases))
    .split('\n')
    .find((line) => line.startsWith('| K04 '))
  expect(row?.match(/(?<!\\)\|/g)).toHaveLength(5)
  const cell = row?.split(/(?<!\\)\|/).at(-2) ?? ''
  expect(cell).not.toMatch(/(?<!\\)[`<>[\]*$&]|(?<!\\):\/\/|www\./)
  expect(cell.replaceAll(/\\(?=[^\w\s])/g, '').trim()).toBe(note.replace('\n', '\\n'))
})

test('a body full of backticks does not end its code block', () => {
  const cases = sampleCases.map((result) => {
    const { finding } = result
    if (finding === null || finding.sent === null) return result
    return { ...result, finding: { ...finding, sent: { ...finding.sent, body: '```\n<script>\n````' } } }
  })
  expect(outsideOfCode(markdownReport(sampleReport(cases)))).not.toContain('script')
})

test('a run that saw fewer than half of its cases says so first', () => {
  const [passed, , , unseen] = sampleCases
  if (passed === undefined || unseen === undefined) throw new Error('the sample report has other cases')
  const markdown = markdownReport(sampleReport([passed, unseen, { ...unseen, id: 'K05' }]))
  expect(markdown).toMatch(/^## conform: Only 1 of 3 cases were observable\. 1 passed/)
})

test('a wrong configuration is told before everything else', () => {
  const markdown = markdownReport(sampleReport([], [{ member: 'probe.url', message: '404 for <an order>' }]))
  expect(markdown).toMatch(/No test case ran .*\n\n❌ The configuration has problems/)
  expect(markdown).toContain('- **probe.url**: 404 for \\<an order\\>')
})

test('however many cases fail, the report is small enough for GitHub', () => {
  const [, failed] = sampleCases
  if (failed?.finding == null) throw new Error('the sample report has other cases')
  const long = 'x'.repeat(262_144)
  const { sent } = failed.finding
  const finding = { ...failed.finding, sent: sent && { ...sent, body: long, answer: long } }
  const markdown = markdownReport(sampleReport(Array.from({ length: 58 }, () => ({ ...failed, finding }))))
  expect(Buffer.byteLength(markdown)).toBeLessThan(200_000)
  expect(markdown).toContain('38 more failed: see the table.')
})

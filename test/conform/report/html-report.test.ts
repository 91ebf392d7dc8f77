import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { htmlReport } from '../../../src/conform/report/html-report.tsx'
import { hostileReport, sampleReport } from '../support/sample-report.ts'

test('tells each case, failures opened', () => {
  const html = htmlReport(sampleReport())
  expect(html).toContain('<details id="K08" open="">')
  expect(html).toContain('<details id="K13">')
  expect(html).toContain('1 passed, 1 failed, 1 warning, 1 skipped in 34 s; seed 1a2b')
})

test('its policy allows its own style and nothing else', () => {
  const html = htmlReport(sampleReport())
  const style = /<style>(.*?)<\/style>/s.exec(html)?.[1] ?? ''
  const hash = createHash('sha256').update(style).digest('base64')
  expect(html).toContain(`content="default-src &#39;none&#39;; style-src &#39;sha256-${hash}&#39;;`)
})

test('what an application answers stays text', () => {
  const html = htmlReport(hostileReport())
  expect(html).not.toMatch(/<script|<img/)
  expect(html).not.toMatch(/[^\P{Cc}\n]|\p{Cf}|[\u2028\u2029]/u)
})

test('a run that saw too little says so first, and is not good', () => {
  const unseen = sampleReport().cases.filter(({ verdict }) => verdict === 'NOT-SEEN')
  const html = htmlReport({ ...sampleReport(unseen), ok: false, sawTooLittle: true })
  expect(html).toContain('<p class="sum bad">No case was observable. 0 passed')
})

test('a run that saw fewer than half of its cases says so first, though it saw enough', () => {
  const [passed, , , unseen] = sampleReport().cases
  if (passed === undefined || unseen === undefined) throw new Error('the sample report has other cases')
  const html = htmlReport(sampleReport([passed, unseen, { ...unseen, id: 'K05' }]))
  expect(html).toContain('<p class="sum ">Only 1 of 3 cases were observable. 1 passed')
})

test('how to use the commands of findings stands once, after all of them', () => {
  const html = htmlReport(sampleReport())
  expect(html.match(/The signature is valid for 5 minutes/g)).toHaveLength(1)
  expect(html.indexOf('How to send a webhook again')).toBeGreaterThan(
    html.lastIndexOf('Run only this case again'),
  )
})

import { createServer } from 'node:http'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { htmlReport } from '../../src/conform/report/html-report.tsx'
import { junitReport } from '../../src/conform/report/junit-report.ts'
import { hostileReport, sampleReport } from '../conform/support/sample-report.ts'
import { violationsIn } from './support/accessible.ts'
import { visit } from './support/visit.ts'

const pages: Readonly<Record<string, string>> = {
  '/sample': htmlReport(sampleReport()),
  '/hostile': htmlReport(hostileReport()),
}
const asked: string[] = []
const server = createServer(({ url = '' }, response) => {
  asked.push(url)
  response.setHeader('content-type', 'text/html; charset=utf-8')
  response.end(pages[url] ?? '')
})
const site = { url: '' }

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (typeof address === 'object') site.url = `http://127.0.0.1:${address?.port}`
})
afterAll(() => server.close())

const openAll = `for (const each of document.querySelectorAll('details')) each.open = true`

test('the report is accessible, and not wider than a screen or a phone', async () => {
  const page = await visit(site, '/sample')
  await page.evaluate(openAll)
  expect(await violationsIn(page)).toEqual([])
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(1280)
  await page.setViewportSize({ width: 390, height: 800 })
  expect(await violationsIn(page, ['light'])).toEqual([])
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390)
})

test('of a hostile application the report runs nothing and loads nothing', async () => {
  const page = await visit(site, '/hostile', { width: 390 })
  await page.evaluate(openAll)
  expect(await page.evaluate('document.scripts.length + document.images.length')).toBe(0)
  expect(await page.evaluate('document.body.textContent')).toContain('<script>alert(1)</script>')
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390)
  expect(asked.filter((url) => pages[url] === undefined)).toEqual([])
})

test.each([
  ['a run', junitReport(sampleReport())],
  ['a hostile application', junitReport(hostileReport())],
])('a strict reader reads the JUnit XML of %s', async (_, xml) => {
  const page = await visit(site, '/sample')
  const read = `(() => {
    const document = new DOMParser().parseFromString(${JSON.stringify(xml)}, 'application/xml')
    return [document.querySelectorAll('parsererror').length, document.querySelectorAll('testcase > failure').length]
  })()`
  expect(await page.evaluate(read)).toEqual([0, 1])
})

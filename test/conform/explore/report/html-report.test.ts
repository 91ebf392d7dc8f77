import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { htmlReport } from '../../../../src/conform/explore/report/html-report.tsx'
import { foundStory, hostileSearch, sampleSearch, stoppedSearch } from '../../support/sample-search.ts'

test('shows each find with its acts, its sequence and its file, failures opened', () => {
  const html = htmlReport(sampleSearch())
  expect(html).toContain('<details id="found-1" open="">')
  expect(html).toContain('<details id="found-2">')
  expect(html).toContain('let webhooks go + reconcile (at the same moment)')
  expect(html).toContain('order COMPLETED; webhook COMPLETED held')
  expect(html).toContain('story 5,071, shrunk from 11 acts to 4, repeats 20 of 20')
  expect(html).toContain('promise: released-once')
  expect(html).toContain('conform --story found/released-twice.yaml -- npm start')
  const [, svg = ''] = /<img src="data:image\/svg\+xml,([^"]*)"/.exec(html) ?? []
  expect(decodeURIComponent(svg)).toBe(foundStory.sequence)
  expect(html).toContain('Found 1 story that breaks a promise, and 1 story that breaks a promise seldom')
})

test('its policy allows its own style and its pictures, and nothing else', () => {
  const html = htmlReport(sampleSearch())
  const style = /<style>(.*?)<\/style>/s.exec(html)?.[1] ?? ''
  const hash = createHash('sha256').update(style).digest('base64')
  expect(html).toContain(
    `content="default-src &#39;none&#39;; style-src &#39;sha256-${hash}&#39;; img-src data:; base-uri`,
  )
})

test('what comes from outside stays text', () => {
  const html = htmlReport(hostileSearch())
  expect(html).not.toMatch(/<script|<img (?!src="data:)/)
  expect(html).not.toMatch(/[^\P{Cc}\n]|\p{Cf}|[\u2028\u2029]/u)
})

test('nothing found is good, and no story played is not', () => {
  expect(htmlReport(sampleSearch([]))).toContain('<p class="sum good">Nothing found in 5,104 stories')
  expect(htmlReport(sampleSearch([], { stories: 0 }))).toContain('<p class="sum ">No story was played.')
})

test('an application that ended the search comes first', () => {
  const html = htmlReport(stoppedSearch())
  expect(html).toContain('<p class="sum bad">Your application ended the search.')
  expect(html).toContain('<li>and 2 more</li>')
})

test('problems of the configuration are listed', () => {
  const problems = [{ member: 'probe.effects', message: 'add <it>' }]
  const html = htmlReport(sampleSearch([], { problems, stories: 0, ok: false }))
  expect(html).toContain('<code>probe.effects</code>: add &lt;it&gt;')
})

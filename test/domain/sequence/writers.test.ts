import { expect, test } from 'vitest'
import { mermaidOf } from '../../../src/domain/sequence/mermaid.ts'
import { sequenceSvg } from '../../../src/domain/sequence/svg.ts'
import { aMessage, hostileTexts, sequenceWith } from './sources.ts'

/** What Mermaid reads as a message or a note: no sign of its grammar stands in the text, only codes. */
const statement =
  /^ {2}(?:(?:A|S|W)(?:->>|-->>|-x|--x)(?:A|S|W)|Note over (?:A,W|A|S|W)): (?:[\p{L}\p{M}\p{N} .,_/+→×…-]|#\d+;|<br\/>)+$/u

test.each(hostileTexts)('Mermaid gets %j as text and nothing else', (text) => {
  const [head, title, a, s, w, ...rest] = mermaidOf(sequenceWith(text)).trimEnd().split('\n')
  expect([head, a, s, w]).toEqual([
    'sequenceDiagram',
    '  participant A as Application',
    '  participant S as Service',
    '  participant W as Webhook URL',
  ])
  expect(title).toMatch(/^ {2}title (?:[\p{L}\p{M}\p{N} .,_/+→×…-]|#\d+;)+$/u)
  expect(rest).toHaveLength(4)
  for (const line of rest) expect(line).toMatch(statement)
})

test.each([
  ['a;b#c', 'a#59;b#35;c'],
  ['wrap: x', 'wrap#58; x'],
  ['restyled:#;', 're#115;tyled#58;#35;#59;'],
  ['😀', '#128512;'],
])('Mermaid reads %j as %j', (text, written) => {
  expect(mermaidOf({ title: 't', messages: [aMessage({ text })], left: 0 })).toContain(
    `A->>S: 0 s ${written}\n`,
  )
})

test('lost messages end with a cross, and answers are dashed', () => {
  const lines = mermaidOf(sequenceWith('x'))
  for (const arrow of ['A->>S: ', 'S-->>A: ', 'Note over S: ', 'S-xW: ']) expect(lines).toContain(arrow)
})

test('what is too long for Mermaid loses its oldest messages, and says how many', () => {
  const messages = Array.from({ length: 300 }, (_, n) => aMessage({ id: `m${n}`, text: ';'.repeat(90) }))
  const text = mermaidOf({ title: 't', messages, left: 5 })
  expect(text.length).toBeLessThan(50_000)
  const [, left] = /Note over A,W: (\d+) older messages are left out/.exec(text) ?? []
  const shown = text.split('\n').filter((line) => line.includes('->>')).length
  expect(Number(left)).toBe(305 - shown)
})

test.each(hostileTexts)('the SVG holds %j as text only', (text) => {
  const svg = sequenceSvg(sequenceWith(text))
  const tags = [...svg.matchAll(/<\/?([^\s>/]+)[^>]*>/g)]
  expect(tags.filter(([, name = '']) => !known.includes(name))).toEqual([])
  expect(tags.filter(([tag]) => / (?:on\w+|style|href)=/.test(tag))).toEqual([])
  // XML 1.0 allows no other control characters, and no lone surrogates.
  expect(svg).not.toMatch(/[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/u)
  expect(svg).not.toMatch(/&(?!amp;|lt;|gt;|quot;|#\d+;)/)
})

const known = ['svg', 'title', 'desc', 'rect', 'g', 'line', 'path', 'text']

test('the SVG stands alone: namespace, size, colours, and words for screen readers', () => {
  const svg = sequenceSvg({ ...sequenceWith('x'), left: 3 })
  expect(svg).toMatch(/^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" viewBox="0 0 554 \d+"/)
  expect(svg).toContain('aria-labelledby="sequence-title sequence-desc"')
  expect(svg).toContain('3 messages between application, service and webhook URL, and 1 events')
  expect(svg).toContain('3 older messages are left out')
  for (const [mark] of svg.matchAll(/<(?:line|path|rect|text) [^>]*>/g)) expect(mark).toMatch(/fill=|stroke=/)
})

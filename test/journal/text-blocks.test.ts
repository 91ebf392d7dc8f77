import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type KeptTexts, TextBlocks } from '../../src/journal/text-blocks.ts'

const kept = (blocks: TextBlocks, ...texts: string[]): KeptTexts => {
  const answer = blocks.keep(texts)
  if (answer === null) throw new Error(`not kept: ${texts}`)
  return answer
}

test('texts come back as they were, whatever is kept, taken and dropped meanwhile', () => {
  const text = fc.oneof(
    fc.string({ unit: 'grapheme', maxLength: 40 }),
    // A few of them fill a block.
    fc.constantFrom('x', 'é', '🎈').map((letter) => letter.repeat(9_000)),
  )
  const act = fc.record({
    texts: fc.array(text, { maxLength: 4 }),
    end: fc.constantFrom('take', 'drop', 'keep'),
  })
  fc.assert(
    fc.property(fc.array(act, { maxLength: 120 }), (acts) => {
      const blocks = new TextBlocks()
      const waiting: { texts: string[]; kept: KeptTexts }[] = []
      for (const { texts, end } of acts) {
        waiting.push({ texts, kept: kept(blocks, ...texts) })
        if (end === 'keep') continue
        const [oldest] = waiting.splice(0, 1)
        if (end === 'take') expect(oldest?.kept.take()).toEqual(oldest?.texts)
        else oldest?.kept.drop()
      }
      for (const { texts, kept } of waiting) expect(kept.take()).toEqual(texts)
    }),
    { numRuns: 60 },
  )
})

test.each([
  ['half a surrogate pair, which would not come back', ['a', '\ud83c']],
  ['more than a block takes', ['x'.repeat(100_000)]],
])('%s is not kept', (_, texts) => {
  expect(new TextBlocks().keep(texts)).toBeNull()
})

test('a pair whose halves stand in two texts comes back in two texts', () => {
  expect(kept(new TextBlocks(), 'a\ud83c', '\udf88b').take()).toEqual(['a\ud83c', '\udf88b'])
})

test('what was taken or dropped is not there a second time, and gives its room back once', () => {
  const blocks = new TextBlocks()
  const taken = kept(blocks, 'taken')
  const other = kept(blocks, 'other')
  taken.take()
  taken.drop()
  expect(() => taken.take()).toThrow('no longer kept')
  kept(blocks, 'later')
  expect(other.take()).toEqual(['other'])
})

test('room that is given back is used again', () => {
  const blocks = new TextBlocks()
  const before = process.memoryUsage().arrayBuffers
  const waiting: KeptTexts[] = []
  for (let n = 0; n < 20_000; n++) {
    waiting.push(kept(blocks, 'x'.repeat(5_000)))
    if (waiting.length > 50) waiting.shift()?.drop()
  }
  // 100 MB have come and gone.
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(2_000_000)
})

import { expect, test, vi } from 'vitest'
import { LateEntry } from '../../src/journal/late-entry.ts'
import { anEntry, aRawEntry } from '../store/factories.ts'

/** Counts how often it is asked to mask. */
function lateEntry(body: string) {
  const asked: number[] = []
  const late = new LateEntry(aRawEntry({ body, clientId: 'C1' }), () => {
    asked.push(1)
    return anEntry({ body: 'masked', clientId: 'C1' })
  })
  return { late, asked }
}

test('an entry that nobody asks for is never masked', () => {
  const { late, asked } = lateEntry('short')
  expect(late.brief.clientId).toBe('C1')
  expect(asked).toEqual([])
})

test('an entry is tidied as it came', () => {
  const [raw, answer, seen] = [aRawEntry(), anEntry(), [] as unknown[]]
  const late = new LateEntry(raw, (whole) => {
    seen.push(whole)
    return answer
  })
  expect(late.known).toBe(raw)
  expect(late.entry).toBe(answer)
  expect(late.known).toBe(answer)
  expect(seen).toEqual([raw])
})

test('one that could not be tidied is there for the next who asks', () => {
  const raw = aRawEntry()
  const tidy = vi.fn((whole: unknown) => anEntry({ body: JSON.stringify(whole) }))
  tidy.mockImplementationOnce(() => {
    throw new Error('once')
  })
  const late = new LateEntry(raw, tidy)
  expect(() => late.entry).toThrow('once')
  expect(JSON.parse(late.entry.body)).toEqual(raw)
})

test('one that is asked for is masked once', () => {
  const { late, asked } = lateEntry('short')
  expect([late.entry.body, late.entry.body]).toEqual(['masked', 'masked'])
  expect(asked).toHaveLength(1)
})

test('a long one is bounded at once, so that its text need not wait', () => {
  const { late, asked } = lateEntry('x'.repeat(1_000_000))
  expect(asked).toHaveLength(1)
  expect(late.size).toBeLessThan(1_000)
})

import { expect, test } from 'vitest'
import { keepingLast } from '../../src/domain/remembered.ts'

test('the last text is kept, until another is asked for', () => {
  const asked: number[] = []
  const text = keepingLast((about: number) => {
    asked.push(about)
    return `text ${about}`
  })
  expect([0, 0, -1, 0, 0].map(text)).toEqual(['text 0', 'text 0', 'text -1', 'text 0', 'text 0'])
  expect(asked).toEqual([0, -1, 0])
})

test('where the text could not be made, the one before does not stand for it', () => {
  const text = keepingLast((about: number) => {
    if (about === 2) throw new RangeError('two')
    return `text ${about}`
  })
  expect(text(1)).toBe('text 1')
  expect(() => text(2)).toThrow('two')
  expect(() => text(2)).toThrow('two')
  expect(text(1)).toBe('text 1')
})

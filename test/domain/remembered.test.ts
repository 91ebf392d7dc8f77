import { expect, test } from 'vitest'
import { keepingLast, remembered } from '../../src/domain/remembered.ts'

function asked(passes: (text: string) => boolean) {
  const texts: string[] = []
  const test = remembered((text) => {
    texts.push(text)
    return passes(text)
  })
  return { test, texts }
}

test('a text that has passed is not tested again, one that has not is', () => {
  const { test, texts } = asked((text) => text.startsWith('a'))
  expect(['ab', 'é', 'ab', 'é', 'aé\ud800', 'aé\ud800'].map(test)).toEqual([
    true,
    false,
    true,
    false,
    true,
    true,
  ])
  expect(texts).toEqual(['ab', 'é', 'é', 'aé\ud800'])
})

test('only a hundred are remembered, and no long ones', () => {
  const { test, texts } = asked(() => true)
  test('long'.repeat(100))
  for (let n = 0; n < 101; n++) test(`text ${n}`)
  texts.length = 0
  for (const text of ['text 0', 'text 99', 'text 100', 'long'.repeat(100)]) expect(test(text)).toBe(true)
  expect(texts).toEqual(['text 100', 'long'.repeat(100)])
})

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

import { expect, test } from 'vitest'
import { Feed } from '../../src/journal/feed.ts'

test('a listener that fails is told of, and keeps nothing from the others', () => {
  const errors: unknown[] = []
  const heard: string[] = []
  const feed = new Feed((error) => errors.push(error))
  const failure = new Error('it broke')
  feed.listen(() => {
    throw failure
  })
  const stop = feed.listen(({ type }) => heard.push(type))
  feed.emit({ type: 'setup' })
  stop()
  feed.emit({ type: 'setup' })
  expect(heard).toEqual(['setup'])
  expect(errors).toEqual([failure, failure])
})

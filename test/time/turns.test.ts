import { expect, test } from 'vitest'
import { turns } from '../../src/time/turns.ts'

test('long work in small pieces lets others go on, again and again', async () => {
  const turn = turns()
  let others = 0
  const count = () => {
    others += 1
    if (others < 3) setImmediate(count)
  }
  setImmediate(count)
  const end = performance.now() + 5_000
  while (others < 3 && performance.now() < end) await turn()
  expect(others).toBe(3)
})

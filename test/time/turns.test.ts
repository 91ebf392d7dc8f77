import { expect, test } from 'vitest'
import { thisTurn, turns } from '../../src/time/timers.ts'

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

test('a turn is over once everything that came in it has been read, and the next one is another', async () => {
  const turn = thisTurn()
  expect(thisTurn()).toBe(turn)
  expect(turn.isOver).toBe(false)
  await turn.end
  expect(turn.isOver).toBe(true)
  expect(thisTurn()).not.toBe(turn)
  expect(thisTurn().isOver).toBe(false)
})

import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { AnswerBatches } from '../../src/webhooks/answer-batches.ts'

const here = 'http://127.0.0.1:1'
const there = 'http://127.0.0.1:2'

/** Batches, the time that they see, and the order in which answers went on that had to wait. */
function batches() {
  const time = { ms: 0 }
  const answers = new AnswerBatches(() => time.ms)
  const gone: string[] = []
  const begin = (attempts: number, origin = here) => {
    const batch = answers.begin(origin, attempts)
    return (name: string, ms = 0): 'waits' | 'goes on' => {
      const others = batch.end(ms)
      void others?.then(() => gone.push(name))
      return others === null ? 'goes on' : 'waits'
    }
  }
  return { begin, gone, time }
}

test('an answer that nothing else is outstanding beside goes on at once', () => {
  const { begin } = batches()
  expect(begin(1)('only')).toBe('goes on')
  expect(begin(1)('next')).toBe('goes on')
})

test('answers of a quick receiver go on together, in their order, as soon as the last has come', async () => {
  const { begin, gone } = batches()
  const end = begin(3)
  expect([end('first'), end('second', 1)]).toEqual(['waits', 'waits'])
  await nextTurn()
  expect(gone).toEqual([])
  end('third')
  await nextTurn()
  expect(gone).toEqual(['first', 'second', 'third'])
})

test('what begins before the others are answered is waited for, too', async () => {
  const { begin, gone } = batches()
  const end = begin(2)
  end('first')
  begin(1)
  end('second')
  await nextTurn()
  expect(gone).toEqual([])
  end('third')
  await nextTurn()
  expect(gone).toEqual(['first', 'second', 'third'])
})

test('nobody waits longer than for half a millisecond: what comes later goes on by itself', async () => {
  const { begin, gone, time } = batches()
  const end = begin(3)
  end('first')
  time.ms = 0.49
  end('second')
  await nextTurn()
  expect(gone).toEqual([])
  time.ms = 0.5
  await nextTurn()
  await nextTurn()
  expect(gone).toEqual(['first', 'second'])
  expect(end('third')).toBe('goes on')
})

test('where the time stands still, nobody waits for ever', async () => {
  const { begin, gone } = batches()
  begin(2)('first')
  for (let turn = 0; turn < 1_100; turn += 1) await nextTurn()
  expect(gone).toEqual(['first'])
})

test('what was waited for in vain holds up nothing that begins later', async () => {
  const { begin, gone, time } = batches()
  const hangs = begin(2)
  hangs('first')
  time.ms = 1
  await nextTurn()
  await nextTurn()
  expect(gone).toEqual(['first'])
  expect(begin(1)('next'), 'beside nothing but what hangs').toBe('goes on')
  time.ms = 100
  const end = begin(2)
  end('third')
  end('fourth')
  await nextTurn()
  expect(gone).toEqual(['first', 'third', 'fourth'])
  expect(hangs('at last')).toBe('goes on')
})

test('once it was in vain, nobody waits for another 10 ms', async () => {
  const { begin, time } = batches()
  begin(2)('first')
  time.ms = 1
  await nextTurn()
  await nextTurn()
  const end = begin(4)
  expect(end('second')).toBe('goes on')
  time.ms = 10.9
  expect(end('third')).toBe('goes on')
  time.ms = 11
  expect(end('fourth')).toBe('waits')
})

test('an answer that took its time waits for nobody, unless others wait', async () => {
  const { begin, gone } = batches()
  const end = begin(4)
  expect(end('slow', 2)).toBe('goes on')
  expect(end('quick', 1)).toBe('waits')
  expect(end('slow, too', Infinity)).toBe('waits')
  end('last')
  await nextTurn()
  expect(gone).toEqual(['quick', 'slow, too', 'last'])
})

test('what another receiver has not answered is not waited for', () => {
  const { begin } = batches()
  const end = begin(1)
  const elsewhere = begin(1, there)
  expect(end('here')).toBe('goes on')
  expect(elsewhere('there')).toBe('goes on')
})

test('the time of a batch that is over does not end the next one’s', async () => {
  const { begin, gone, time } = batches()
  const before = begin(2)
  before('first')
  before('second')
  time.ms = 0.4
  const end = begin(2)
  end('third')
  time.ms = 0.6
  await nextTurn()
  await nextTurn()
  expect(gone).toEqual(['first', 'second'])
  end('fourth')
  await nextTurn()
  expect(gone).toEqual(['first', 'second', 'third', 'fourth'])
})

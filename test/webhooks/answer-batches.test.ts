import { expect, test } from 'vitest'
import { AnswerBatches } from '../../src/webhooks/answer-batches.ts'

const here = 'http://127.0.0.1:1'
const there = 'http://127.0.0.1:2'

/** Batches with so many attempts unanswered, of one origin, and the order in which those that waited went on. */
function batches(attempts: number) {
  const answers = new AnswerBatches()
  answers.begin(here, attempts)
  const gone: string[] = []
  const end = (name: string, ms = 0) => {
    const others = answers.end(here, ms)
    void others?.then(() => gone.push(name))
    return others
  }
  return { answers, end, gone }
}

test('an answer that nothing else is outstanding beside goes on at once', () => {
  const { answers, end } = batches(1)
  expect(end('only')).toBeNull()
  answers.begin(here, 1)
  expect(end('next')).toBeNull()
})

test('answers of a quick receiver go on together, in their order, as soon as the last has come', async () => {
  const { end, gone } = batches(3)
  end('first')
  end('second', 1)
  await Promise.resolve()
  expect(gone).toEqual([])
  await end('third')
  expect(gone).toEqual(['first', 'second', 'third'])
})

test('nobody waits longer than for half a millisecond: what comes later goes on by itself', async () => {
  const { end, gone } = batches(3)
  const begun = performance.now()
  const [first, second] = [end('first'), end('second')]
  await Promise.all([first, second])
  expect(performance.now() - begun).toBeGreaterThanOrEqual(0.5)
  expect(gone).toEqual(['first', 'second'])
  expect(end('third')).toBeNull()
})

test('what begins while answers wait keeps them no longer', async () => {
  const { answers, end, gone } = batches(2)
  const first = end('first')
  answers.begin(here, 5)
  await first
  expect(gone).toEqual(['first'])
})

test('an answer that took its time waits for nobody, unless others wait', async () => {
  const { end, gone } = batches(4)
  expect(end('slow', 2)).toBeNull()
  end('quick', 1)
  end('slow, too', 2)
  await end('last')
  expect(gone).toEqual(['quick', 'slow, too', 'last'])
})

test('what another receiver has not answered is not waited for', () => {
  const { answers, end } = batches(1)
  answers.begin(there, 1)
  expect(end('only')).toBeNull()
  expect(answers.end(there, 0)).toBeNull()
})

test('a batch that is over waits no longer than the next one', async () => {
  const { answers, end, gone } = batches(2)
  end('first')
  await end('second')
  answers.begin(here, 2)
  end('third')
  await Promise.resolve()
  expect(gone).toEqual(['first', 'second'])
  await end('fourth')
  expect(gone).toEqual(['first', 'second', 'third', 'fourth'])
})

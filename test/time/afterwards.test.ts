import { expect, onTestFinished, test } from 'vitest'
import { Afterwards } from '../../src/time/afterwards.ts'

function someWork() {
  const errors: unknown[] = []
  const afterwards = new Afterwards((error) => errors.push(error))
  const done: string[] = []
  const put = (name: string) => afterwards.do(() => void done.push(name))
  return { afterwards, errors, done, put }
}

const turn = () => new Promise<void>((resolve) => setImmediate(resolve))

test('what is put off comes after all that follows from an answer, and before anything else comes in', async () => {
  const { done, put } = someWork()
  setImmediate(() => done.push('the next to come'))
  put('put off')
  let answer = Promise.resolve()
  for (let step = 1; step <= 20; step++) answer = answer.then(() => undefined)
  void answer.then(() => done.push('answered'))
  await turn()
  expect(done).toEqual(['answered', 'put off', 'the next to come'])
})

test('it is done in its order, turn after turn', async () => {
  const { done, put } = someWork()
  put('1')
  put('2')
  await turn()
  put('3')
  await turn()
  expect(done).toEqual(['1', '2', '3'])
})

test('whoever settles has all of it done at once, and none of it again', async () => {
  const { afterwards, done, put } = someWork()
  afterwards.do(() => put('of the first'))
  put('second')
  afterwards.settle()
  expect(done).toEqual(['second', 'of the first'])
  await turn()
  expect(done).toHaveLength(2)
})

test('a job that settles has those that came after it done, before what they put off', async () => {
  const { afterwards, done, put } = someWork()
  afterwards.do(() => {
    put('of the first')
    afterwards.settle()
    done.push('first')
  })
  put('second')
  await turn()
  put('third')
  await turn()
  expect(done).toEqual(['second', 'of the first', 'first', 'third'])
})

test('what fails is told, and keeps nothing else from being done', async () => {
  const { afterwards, errors, done, put } = someWork()
  afterwards.do(() => {
    throw new Error('no')
  })
  put('second')
  await turn()
  expect([errors, done]).toEqual([[new Error('no')], ['second']])
})

test('a test that fakes ticks keeps nothing from being done', async () => {
  const { done, put } = someWork()
  const real = process.nextTick
  onTestFinished(() => {
    process.nextTick = real
  })
  process.nextTick = () => {}
  put('put off')
  await turn()
  expect(done).toEqual(['put off'])
})

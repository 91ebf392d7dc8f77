import { expect, test } from 'vitest'
import { faultWords, planSentences } from '../../../src/pages/dashboard/deliveries/fault-words.ts'

test.each([
  [{ lost: true }, 'It was dropped: nothing was sent.'],
  [{ drop: true }, 'Nothing was sent.'],
  [{ cut: 'end', times: 1 }, 'The connection was cut at the end of the body.'],
] as const)('an attempt under %j says what was wrong with it', (fault, words) => {
  expect(faultWords({ faults: [fault] }, 1)).toEqual([words])
})

test('a delivery says which behaviours a sweep plays on it', () => {
  expect(planSentences({ by: ['webhook-twice'] })).toEqual(['A sweep applies webhook-twice to it.'])
})

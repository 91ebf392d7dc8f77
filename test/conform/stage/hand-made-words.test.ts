import { expect, test } from 'vitest'
import { handMadeWords } from '../../../src/conform/stage/webhooks-by-hand.ts'

test.each([
  [{ event: { requestId: 'r1', orderStatus: 'COMPLETED' } }, 'has a webhook of COMPLETED sent by hand'],
  [{ event: { requestId: 'r1' }, copies: 10 }, 'has a webhook sent by hand, with copies 10'],
  [{ body: '{}', sign: 'wrong' }, 'has a webhook sent by hand, with its own body, sign "wrong"'],
] as const)('%j', (webhook, words) => {
  expect(handMadeWords(webhook)).toBe(words)
})

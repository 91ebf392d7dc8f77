import { expect, test } from 'vitest'
import { inTime, ProbeFailed } from '../../../src/conform/application/application.ts'
import { applicationOf } from '../../../src/conform/application/http-application.ts'
import { WrongConfiguration } from '../../../src/conform/finding.ts'

const never = () => new Promise<never>(() => {})
const hanging = applicationOf({ start: never, probe: never, reconcile: never, time: never }, null)
const limited = inTime(hanging, undefined, 5)

test('a start call that is never answered ends as one that was not', async () => {
  const answer = await limited.start?.({ unique: 'x', text: '', amount: '10.00', cart: 'a cart' })
  expect(answer).toMatchObject({ status: null, requestId: null, error: 'no answer within 0.005 s' })
})

test('a probe that never ends has failed', async () => {
  await expect(limited.probe?.('an order', null)).rejects.toThrow(ProbeFailed)
})

test.each([
  ['reconcile', () => limited.reconcile?.()],
  ['time', () => limited.time?.(0)],
])('a %s that never ends is told as such', async (_, act) => {
  await expect(act()).rejects.toThrow(WrongConfiguration)
})

test('a call ends at once when the run is ended', async () => {
  const ended = new AbortController()
  const probed = inTime(hanging, ended.signal).probe?.('an order', null)
  ended.abort(new Error('enough'))
  await expect(probed).rejects.toThrow('enough')
})

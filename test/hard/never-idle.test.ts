import { expect, test } from 'vitest'
import { startFixture } from '../support/emulator.ts'

test('a subscription that nobody cancels ends a run until idle after 10,000 moments, and it is told why', async () => {
  const { c1, emulator } = await startFixture({ settings: { subscription: { intervals: ['DAILY'] } } })
  await c1.createSubscription(c1.subscription('r1', { interval: 'DAILY' }))
  const answer = await emulator.send('/_emulator/clock/run-until-idle?clientId=C1', { method: 'POST' })
  expect(answer.status).toBe(409)
  expect(answer.json).toMatchObject({ error: { code: 'never_idle' }, nextDueAt: expect.any(Number) })
})

import { expect, test } from 'vitest'
import { report } from './support/figures.ts'
import { startJudge } from './support/judge.ts'
import { startRemote } from './support/remote.ts'

const rounds = 10
const clientsAtOnce = 40

// Only another process is quick enough: it has the answer while the emulator still writes down that it has left.
test('an advance right after a create call waits for its webhook, however many clients do so at once', async () => {
  const judge = await startJudge()
  const { emulator } = await startRemote(['--clock', 'manual'])
  const statuses: unknown[] = []
  for (let round = 0; round < rounds; round++) {
    const one = async () => {
      const client = await emulator.addClient({ webhookUrl: judge.url })
      await client.createCheckout('r1')
      await client.settle()
      const [created] = await client.deliveries()
      statuses.push(created?.status)
    }
    await Promise.all(Array.from({ length: clientsAtOnce }, one))
  }
  const missed = statuses.filter((status) => status !== 'delivered').length
  report({
    area: 'clock',
    promise: 'An advance right after a create call waits for its webhook',
    test: 'test/hard/advance-after-create.test.ts',
    figures: { creates: statuses.length, missed },
  })
  expect(missed).toBe(0)
})

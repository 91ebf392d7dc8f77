import { expect, test } from 'vitest'
import { percentile, report } from './support/figures.ts'
import { startJudge } from './support/judge.ts'
import { atPace, connect, create } from './support/load.ts'
import { type RawReceiver, startRawReceiver } from './support/raw-receiver.ts'
import { startRemote } from './support/remote.ts'

const createsPerSecond = 15
const seconds = 4

test('nine receivers keep their pace beside one that hangs, and that one holds 16 connections', async () => {
  const alone = await paceOfNine(null)
  const bad = await startRawReceiver(() => {})
  const beside = await paceOfNine(bad)
  report({
    area: 'one bad receiver',
    promise: 'Nine receivers keep their pace beside one that hangs',
    test: 'test/hard/one-bad-receiver.test.ts',
    figures: {
      'webhooks to the nine': beside.arrived,
      'p50 alone (ms)': alone.p50,
      'p50 beside it (ms)': beside.p50,
      'p99 alone (ms)': alone.p99,
      'p99 beside it (ms)': beside.p99,
      'requests to the bad one': bad.requests.length,
      'its connections': bad.mostAtOnce(),
    },
  })
  expect(bad.requests.length, 'the bad one had enough to hang on').toBeGreaterThanOrEqual(16)
  expect(bad.mostAtOnce()).toBeLessThanOrEqual(16)
  expect(beside.arrived).toBe(alone.arrived)
  // Three times what is promised for the load suite.
  expect(beside.p99).toBeLessThan(750)
  expect(beside.p50).toBeLessThan(alone.p50 * 2 + 25)
})

/** Ten clients under the same load, with an endpoint each. How long the webhooks of the nine took after the answer
 *  to their create call, in milliseconds.
 *  @param bad the endpoint of the tenth; without one, it is as good as the others */
async function paceOfNine(bad: RawReceiver | null) {
  const { emulator } = await startRemote([])
  const answeredAt = new Map<string, number>()
  const clients = await Promise.all(
    Array.from({ length: 10 }, async (_, n) => {
      const judge = await startJudge()
      const webhookUrl = n === 9 && bad !== null ? bad.url : judge.url
      return {
        judge,
        credentials: await emulator.addClient({ webhookUrl, defaultScenario: 'happy-instant' }),
      }
    }),
  )
  await Promise.all(
    clients.map(({ credentials }) => {
      const pool = connect(emulator.url, 4)
      return atPace(createsPerSecond, seconds, async (n) => {
        const requestId = `${credentials.clientId}-${n}`
        expect(await create(pool, requestId, credentials)).toBe(200)
        answeredAt.set(requestId, performance.now())
      })
    }),
  )
  const judges = clients.slice(0, 9).map(({ judge }) => judge)
  await Promise.all(
    judges.map((judge) => judge.until(() => judge.accepted.size === 2 * createsPerSecond * seconds)),
  )
  const arrivals = judges.flatMap((judge) => judge.arrivals)
  await emulator.close()
  const lateness = arrivals.map(({ requestId, at }) => at - (answeredAt.get(requestId) ?? Number.NaN))
  const rounded = (share: number) => Number(Math.max(0, percentile(lateness, share)).toFixed(1))
  return { arrived: arrivals.length, p50: rounded(0.5), p99: rounded(0.99) }
}

import { join } from 'node:path'
import { expect, test } from 'vitest'
import { percentile, report } from './support/figures.ts'
import { judged, startJudge } from './support/judge.ts'
import { aFolder, connect, create } from './support/load.ts'
import { startRemote } from './support/remote.ts'

const orders = 1_000
const patience = 3

test(`${orders} orders due in the same instant are delivered within 10 s, and the API stays quick meanwhile`, async () => {
  const judge = await startJudge()
  const flags = ['--clock', 'manual', '--database', join(aFolder(), 'e.db'), '--webhook-url', judge.url]
  const { emulator } = await startRemote(flags)
  const pool = connect(emulator.url, 16)
  const ids = Array.from({ length: orders }, (_, n) => `r-${n}`)
  await Promise.all(ids.map((id) => create(pool, id)))
  await judge.until(() => judge.accepted.size === orders)

  const begun = performance.now()
  let over = false
  const advance = emulator.control('/clock/advance?clientId=demo-client', 'POST', { by: '5s' })
  const callMs: number[] = []
  const call = async (act: () => Promise<number | null>) => {
    const asked = performance.now()
    expect(await act()).toBe(200)
    callMs.push(performance.now() - asked)
  }
  const lookUp = async (requestId: string) => {
    const query = new URLSearchParams({ requestId, clientId: 'demo-client' })
    const headers = { 'access-token': 'demo-token' }
    const answer = await pool.request({ method: 'GET', path: `/v1/client/orders?${query}`, headers })
    await answer.body.dump()
    return answer.statusCode
  }
  const caller = async (name: string) => {
    for (let n = 0; !over; n++) {
      await call(() => create(pool, `${name}-${n}`))
      await call(() => lookUp(`r-${n % orders}`))
    }
  }
  const callers = ['a', 'b', 'c', 'd'].map(caller)
  await judge.until(() => ids.every((id) => judge.accepted.has(`${id} COMPLETED`)))
  const deliveredMs = performance.now() - begun
  over = true
  await Promise.all(callers)
  await advance

  const { lost, inverted, repeatedAfterAccepted } = judged(ids, judge)
  report({
    area: 'burst',
    promise: `${orders.toLocaleString('en-US')} orders due in the same instant`,
    test: 'test/hard/burst.test.ts',
    figures: {
      'delivered within (ms)': Math.round(deliveredMs),
      'calls meanwhile': callMs.length,
      'call p50 (ms)': Number(percentile(callMs, 0.5).toFixed(1)),
      'call p99 (ms)': Number(percentile(callMs, 0.99).toFixed(1)),
      lost: lost.length,
      repeats: repeatedAfterAccepted,
    },
  })
  expect(lost).toEqual([])
  expect(inverted).toEqual([])
  expect(repeatedAfterAccepted).toBe(0)
  expect(callMs.length, 'calls were made meanwhile').toBeGreaterThan(20)
  expect(deliveredMs).toBeLessThan(10_000 * patience)
  expect(percentile(callMs, 0.99)).toBeLessThan(100 * patience)
})

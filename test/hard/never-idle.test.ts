import { readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import type { TestClient } from '../support/client.ts'
import { startFixture } from '../support/emulator.ts'
import { percentile, report } from './support/figures.ts'
import { startRemote } from './support/remote.ts'
import { sized } from './support/size.ts'

const headers = { 'content-type': 'application/json' }
const daily = { subscription: { intervals: ['DAILY'] } }

test('a subscription that nobody cancels ends a run until idle after 10,000 moments, and it is told why', async () => {
  const { c1, emulator } = await startFixture({ settings: daily })
  await c1.createSubscription(c1.subscription('r1', { interval: 'DAILY' }))
  const answer = await emulator.send('/_emulator/clock/run-until-idle?clientId=C1', { method: 'POST' })
  expect(answer.status).toBe(409)
  expect(answer.json).toMatchObject({ error: { code: 'never_idle' }, nextDueAt: expect.any(Number) })
})

test('a charge takes no longer for the thousands before it', async () => {
  const { c1, c2 } = await startFixture({ settings: daily }, { settings: daily })
  const subscribed = async (client: TestClient, requestId: string) => {
    await client.createSubscription(client.subscription(requestId, { interval: 'DAILY' }))
  }
  const tookMs = async (client: TestClient) => {
    const begun = performance.now()
    await client.advance('300d')
    return performance.now() - begun
  }
  await subscribed(c1, 'old')
  await c1.advance('5000d')
  await subscribed(c2, 'new')
  const rounds: { old: number; young: number }[] = []
  for (let round = 0; round < 5; round++) rounds.push({ old: await tookMs(c1), young: await tookMs(c2) })
  const times = percentile(
    rounds.map(({ old, young }) => old / young),
    0.5,
  )
  report({
    area: 'clock',
    promise: 'A charge takes no longer for the thousands before it',
    test: 'test/hard/never-idle.test.ts',
    figures: { 'charges before it': 5_000, 'times as long as among the first': Number(times.toFixed(2)) },
  })
  expect(times).toBeLessThan(2)
})

test('an advance by a thousand years over daily charges ends at its time-out, and starves nobody meanwhile', async () => {
  const timeoutMs = sized({ whole: 10_000, part: 3_000 })
  const { emulator, program } = await startRemote(['--clock', 'manual'])
  const busy = await emulator.addClient({ clientId: 'busy', settings: daily })
  await busy.createSubscription(busy.subscription('r1', { interval: 'DAILY' }))
  const other = await emulator.addClient({ clientId: 'other' })
  const path = '/_emulator/clock/advance?clientId=busy'
  const begun = performance.now()
  const advanced = emulator.send(path, { method: 'POST', headers, body: { by: 'P1000Y', timeoutMs } })
  let isOver = false
  advanced.finally(() => {
    isOver = true
  })
  const createMs: number[] = []
  for (let n = 0; !isOver; n++) {
    const sent = performance.now()
    const { status } = await other.createCheckout(`r${n}`)
    createMs.push(performance.now() - sent)
    expect(status).toBe(200)
    await pause(5)
  }
  const { status, json } = await advanced
  const tookMs = performance.now() - begun
  const megabytes = residentMegabytes(program.child.pid)
  const { transitions } = json
  report({
    area: 'clock',
    promise: 'An advance by a thousand years over daily charges ends in time and starves nobody',
    test: 'test/hard/never-idle.test.ts',
    figures: {
      'time-out (s)': timeoutMs / 1000,
      'took (s)': Number((tookMs / 1000).toFixed(1)),
      transitions: Array.isArray(transitions) ? transitions.length : 0,
      'creates of another client meanwhile': createMs.length,
      'create p50 (ms)': Number(percentile(createMs, 0.5).toFixed(1)),
      'create p99 (ms)': Number(percentile(createMs, 0.99).toFixed(1)),
      'memory (MB)': megabytes,
    },
  })
  expect(status).toBe(504)
  expect(json).toMatchObject({ error: { code: 'clock_timed_out' } })
  expect(await busy.now()).toBe(json.now)
  expect(tookMs).toBeLessThan(timeoutMs + 5_000)
  expect(percentile(createMs, 0.99)).toBeLessThan(250)
  expect(megabytes).toBeLessThan(1_000)
})

function residentMegabytes(pid = 0): number {
  const [, kilobytes] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return Math.round(Number(kilobytes) / 1024)
}

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Webhook } from 'standardwebhooks'
import { expect, test } from 'vitest'
import { startReceiver } from '../support/receiver.ts'
import { report } from './support/figures.ts'
import { type Judge, startJudge } from './support/judge.ts'
import { aFolder } from './support/load.ts'
import { startRemote } from './support/remote.ts'

const file = 'test/hard/clock.test.ts'
const dayMs = 86_400_000

/** Steps beyond what one timer can wait for: 2^31-1 ms are 24.8 days. */
const far = `id: far
description: SETTLING after 25 days, COMPLETED after a year
timeline:
  - { at: 25d, order: SETTLING }
  - { at: 365d, order: COMPLETED }
`
const dueAfterMs: Readonly<Record<string, number>> = { SETTLING: 25 * dayMs, COMPLETED: 365 * dayMs }

test('on a manual clock, steps after 25 days and after a year come at their millisecond and not before', async () => {
  const { emulator } = await startRemote(['--clock', 'manual', '--scenarios', aScenarioFile()])
  const client = await emulator.addClient({ defaultScenario: 'far' })
  await client.createCheckout('r1')
  const told = []
  for (const by of [25 * dayMs - 1, 1, 340 * dayMs - 1, 1]) {
    const { transitions } = await client.advance(`${by}ms`)
    told.push(transitions.filter(({ what }) => what === 'order').map(({ to }) => to))
  }
  expect(told).toEqual([[], ['SETTLING'], [], ['COMPLETED']])
})

test('on running clocks, steps after 25 days and after a year are never early', async () => {
  const { emulator } = await startRemote(['--scenarios', aScenarioFile()])
  // At the highest speed, 25 days pass in 2.2 s.
  const rows = [
    { speed: 1, advanced: 0, statuses: [] },
    { speed: 1_000, advanced: 0, statuses: [] },
    { speed: 1_000_000, advanced: 0, statuses: ['SETTLING'] },
    { speed: 1_000_000, advanced: 350 * dayMs, statuses: ['SETTLING', 'COMPLETED'] },
    { speed: 1, advanced: 364 * dayMs, statuses: ['SETTLING'] },
    { speed: 1, advanced: 365 * dayMs - 1_500, statuses: ['SETTLING', 'COMPLETED'] },
  ] as const
  const begun = await Promise.all(
    rows.map(async ({ speed, advanced, statuses }) => {
      const judge = await startJudge()
      const client = await emulator.addClient({ webhookUrl: judge.url, defaultScenario: 'far' })
      await emulator.control(`/clock?clientId=${client.clientId}`, 'PUT', { mode: 'real', speed })
      const begunAt = performance.now()
      await client.createCheckout('r1')
      if (advanced > 0) await client.advance(`${advanced}ms`)
      const name = `${advanced / dayMs} days ahead at ${speed}x`
      return { name, statuses, judge, client, lateness: () => latenesses(judge, begunAt, speed, advanced) }
    }),
  )
  // Orders without further events are watched as long as the others.
  await Promise.all(
    begun.map(({ judge, statuses }) => judge.until(() => judge.arrivals.length > statuses.length)),
  )
  const watched = await Promise.all(
    begun.map(async ({ client, lateness, ...rest }) => {
      const { timeline } = await client.order('r1')
      return { ...rest, timeline, earliest: lateness() }
    }),
  )
  const early = watched.flatMap(({ earliest }) => earliest).filter((late) => late < 0)
  report({
    area: 'clock',
    promise: 'Steps after 25 days and after a year are never early, on running clocks',
    test: file,
    figures: { clocks: watched.length, early: early.length },
  })
  for (const { name, statuses, timeline, judge } of watched) {
    const told = judge.arrivals.map(({ orderStatus }) => orderStatus)
    expect(told, name).toEqual(['CREATED', ...statuses])
    for (const { dueAt, doneAt } of Array.isArray(timeline) ? timeline : []) {
      if (doneAt !== null) expect(doneAt, name).toBeGreaterThanOrEqual(dueAt)
    }
  }
  expect(early).toEqual([])
})

test.each([
  ['a manual clock', ['--clock', 'manual', '--start-time', new Date(Date.now() + 3 * dayMs).toISOString()]],
  ['a running clock that was moved', []],
  ['a clock at ten times the speed that was moved', ['--clock', '10x']],
])('three days ahead on %s, webhooks pass the standardwebhooks package', async (_, flags) => {
  const receiver = await startReceiver()
  const { emulator } = await startRemote(flags)
  const client = await emulator.addClient({ webhookUrl: receiver.url })
  if (flags[1] !== 'manual') await client.advance('3d')
  expect((await client.now()) - Date.now()).toBeGreaterThan(2.9 * dayMs)
  await client.createCheckout('r1')
  await client.advance('10s')
  const webhook = new Webhook(client.webhookSecret)
  const told = receiver.requests.map(({ text, headers }) => {
    const names = ['webhook-id', 'webhook-timestamp', 'webhook-signature']
    return webhook.verify(text, Object.fromEntries(names.map((name) => [name, String(headers[name])])))
  })
  expect(told).toMatchObject([{ orderStatus: 'CREATED' }, { orderStatus: 'COMPLETED' }])
})

/** The delays of steps in wall-clock milliseconds; the creation counts as early as possible. */
function latenesses({ arrivals }: Judge, begun: number, speed: number, advanced: number): number[] {
  return arrivals.flatMap(({ orderStatus, at }) => {
    const dueAfter = dueAfterMs[orderStatus]
    return dueAfter === undefined ? [] : [at - begun - Math.max(0, dueAfter - advanced) / speed]
  })
}

function aScenarioFile(): string {
  const path = join(aFolder(), 'far.yaml')
  writeFileSync(path, far)
  return path
}

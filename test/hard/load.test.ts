import { join } from 'node:path'
import { expect, test } from 'vitest'
import { percentile, report } from './support/figures.ts'
import { judged, startJudge } from './support/judge.ts'
import { aFolder, atPace, connect, create } from './support/load.ts'
import { startProgram } from './support/program.ts'
import { sized } from './support/size.ts'

const createsPerSecond = 200
const seconds = sized({ whole: 60, part: 8 })
/** When the scenario `happy` completes an order. */
const completedAfterMs = 5_000
/** The program and this test compile themselves while they begin. The orders of that time come before the measured
 *  ones, and are held to all but the time of their create calls. */
const coldSeconds = 3
/** On a slower or busier machine than the promise is made for, this many times as long will do. */
const patience = 3

test(`${createsPerSecond} orders a second for ${seconds} seconds: no error, and every webhook once and in time`, async () => {
  const judge = await startJudge()
  const flags = ['--database', join(aFolder(), 'e.db'), '--webhook-url', judge.url]
  const { url } = await startProgram(flags)
  const pool = connect(url, 64)
  const statuses = new Map<string, number | null>()
  const createMs: number[] = []
  /** When each order's CREATED may leave, and the latest moment from which its COMPLETED is counted. */
  const times = new Map<string, { answered: number; sent: number }>()

  const order = async (requestId: string) => {
    const sent = performance.now()
    const status = await create(pool, requestId)
    const answered = performance.now()
    times.set(requestId, { answered, sent })
    statuses.set(requestId, status)
    return answered
  }
  await atPace(createsPerSecond, coldSeconds, async (n) => void (await order(`cold-${n}`)))
  await atPace(createsPerSecond, seconds, async (n, dueAt) => {
    createMs.push((await order(`r-${n}`)) - dueAt)
  })
  const acknowledged = [...statuses].filter(([, status]) => status === 200).map(([id]) => id)
  await judge.until(() => judge.accepted.size >= 2 * acknowledged.length)

  const { lost, inverted, repeatedAfterAccepted } = judged(acknowledged, judge)
  const lateness = judge.arrivals.map(({ requestId, orderStatus, at }) => {
    const { answered, sent } = times.get(requestId) ?? { answered: Number.NaN, sent: Number.NaN }
    return Math.max(0, orderStatus === 'CREATED' ? at - answered : at - sent - completedAfterMs)
  })
  const rounded = (values: readonly number[], share: number) => Number(percentile(values, share).toFixed(1))
  report({
    area: 'load',
    promise: `${createsPerSecond} orders a second for ${seconds} seconds, two webhooks each`,
    test: 'test/hard/load.test.ts',
    figures: {
      orders: statuses.size,
      errors: statuses.size - acknowledged.length,
      webhooks: judge.arrivals.length,
      lost: lost.length,
      inversions: inverted.length,
      duplicates: judge.arrivals.length - judge.accepted.size,
      'create p50 (ms)': rounded(createMs, 0.5),
      'create p99 (ms)': rounded(createMs, 0.99),
      'lateness p50 (ms)': rounded(lateness, 0.5),
      'lateness p99 (ms)': rounded(lateness, 0.99),
    },
  })
  expect(statuses.size).toBe(createsPerSecond * (coldSeconds + seconds))
  expect(acknowledged.length, 'no errors').toBe(statuses.size)
  expect(lost).toEqual([])
  expect(inverted).toEqual([])
  expect(repeatedAfterAccepted).toBe(0)
  expect(judge.arrivals).toHaveLength(2 * statuses.size)
  expect(percentile(createMs, 0.99)).toBeLessThan(50 * patience)
  expect(percentile(lateness, 0.99)).toBeLessThan(250 * patience)
})

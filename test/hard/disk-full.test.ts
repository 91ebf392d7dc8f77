import { setTimeout as pause } from 'node:timers/promises'
import type { Pool } from 'undici'
import { expect, test } from 'vitest'
import { TestClient } from '../support/client.ts'
import { emulatorAt } from '../support/emulator.ts'
import { percentile, report } from './support/figures.ts'
import { judged, startJudge } from './support/judge.ts'
import { connect, create, demo } from './support/load.ts'
import { startProgram } from './support/program.ts'
import { aLimitedFile, aSmallDisk } from './support/small-disk.ts'

const file = 'test/hard/disk-full.test.ts'
const loadMs = 700
const fullMs = 1_500
/** After this time an undelivered webhook counts as lost. */
const patienceMs = 20_000
const quiet = { stderr: 'ignore' } as const

test.for([
  ['disk', aSmallDisk],
  ['quota', aLimitedFile],
] as const)(
  'a full %s: writes are refused at once, reads go on, and space is enough to go on',
  async (row, { skip }) => {
    const [what, prepare] = row
    const space = prepare()
    if (typeof space === 'string') return skip(space)
    const judge = await startJudge()
    const flags = ['--clock', '60x', '--database', space.database, '--webhook-url', judge.url]
    const program = await startProgram(flags, quiet)
    const pool = connect(program.url, 16)
    const emulator = emulatorAt(program.url, async () => {})

    const before = await underLoad(pool, 'before', loadMs)
    space.fill(program.child.pid)
    const load = underLoad(pool, 'full', fullMs, { atLeast: 101, of: 507 })
    await pause(fullMs / 3)
    const headers = { 'content-type': 'application/json' }
    const ofControl = await emulator.send('/_emulator/clients', { method: 'POST', body: {}, headers })
    const client = new TestClient(emulator, { ...demo, webhookSecret: '' })
    const ofService = await client.createCheckout('refused')
    const reads = await lookUps(pool, before.acknowledged)
    const full = await load
    space.free(program.child.pid)
    const first = await create(pool, 'first-after')
    const after = await underLoad(pool, 'after', loadMs)

    const acknowledged = [...before.acknowledged, ...full.acknowledged, 'first-after', ...after.acknowledged]
    const delivered = judge.until(() => acknowledged.every((id) => judge.accepted.has(`${id} COMPLETED`)))
    await Promise.race([delivered, pause(patienceMs)])
    program.child.kill('SIGTERM')
    await program.exited
    const restarted = connect((await startProgram(flags, quiet)).url, 16)
    const found = await lookUps(restarted, acknowledged)
    const { lost, inverted, unequal, repeatedAfterAccepted } = judged(acknowledged, judge)
    const refused = full.statuses.filter((status) => status === 507).length
    report({
      area: 'disk',
      promise: `A full ${what} under load: refused quickly, nothing lost, no restart needed`,
      test: file,
      figures: {
        acknowledged: acknowledged.length,
        'refused while full': refused,
        'refusal p99 (ms)': Number(percentile(full.ms, 0.99).toFixed(1)),
        'lookup p99 while full (ms)': Number(percentile(reads.ms, 0.99).toFixed(1)),
        lost: lost.length,
        'not found after a restart': found.missing,
        repeats: repeatedAfterAccepted,
      },
    })
    expect(new Set(before.statuses)).toEqual(new Set([200]))
    expect(refused).toBeGreaterThan(100)
    expect(full.statuses.filter((status) => status !== 200 && status !== 507)).toEqual([])
    // On a full disk something small may still find its place.
    if (what === 'quota' || ofControl.status !== 201) {
      expect(ofControl).toMatchObject({ status: 507, json: { error: { code: 'disk_full' } } })
    }
    if (what === 'quota' || ofService.status !== 200) {
      expect(ofService).toMatchObject({ status: 507, json: { error: expect.stringMatching(/full/) } })
    }
    expect(reads.missing).toBe(0)
    expect(first, 'the first write with space').toBe(200)
    expect(new Set(after.statuses)).toEqual(new Set([200]))
    expect({ lost, inverted, unequal, missing: found.missing }).toEqual({
      lost: [],
      inverted: [],
      unequal: [],
      missing: 0,
    })
    expect(repeatedAfterAccepted, 'what was sent while full is recorded later').toBe(0)
    expect(percentile(full.ms, 0.99)).toBeLessThan(1_000)
    expect(percentile(reads.ms, 0.99)).toBeLessThan(1_000)
  },
)

test('killed while its disk is full, the program starts again or says why not, and then nothing is lost', async ({
  skip,
}) => {
  const disk = aSmallDisk()
  if (typeof disk === 'string') return skip(disk)
  const judge = await startJudge()
  const flags = ['--clock', '60x', '--database', disk.database, '--webhook-url', judge.url]
  const program = await startProgram(flags, quiet)
  const pool = connect(program.url, 16)
  const before = await underLoad(pool, 'before', 0, { atLeast: 51, of: 200 })
  const load = underLoad(pool, 'filling', loadMs)
  await pause(loadMs / 2)
  disk.fill(program.child.pid)
  const acknowledged = [...before.acknowledged, ...(await load).acknowledged]
  program.child.kill('SIGKILL')
  await program.exited

  const whileFull = await startProgram(flags, quiet).then(
    async ({ child, exited }) => {
      child.kill('SIGKILL')
      await exited
      return 'started'
    },
    (error: unknown) => String(error),
  )
  disk.free(program.child.pid)
  await startProgram(flags, quiet)
  const delivered = judge.until(() => acknowledged.every((id) => judge.accepted.has(`${id} COMPLETED`)))
  await Promise.race([delivered, pause(patienceMs)])
  const { lost, inverted, unequal, repeatedAfterAccepted } = judged(acknowledged, judge)
  report({
    area: 'disk',
    promise: 'Killed while its disk is full, the program loses nothing that was acknowledged',
    test: file,
    figures: { acknowledged: acknowledged.length, lost: lost.length, repeats: repeatedAfterAccepted },
  })
  expect(acknowledged.length).toBeGreaterThan(50)
  expect(whileFull).toMatch(/^started$|: 2$/)
  expect({ lost, inverted, unequal }).toEqual({ lost: [], inverted: [], unequal: [] })
  expect(repeatedAfterAccepted, 'what was in flight at both kills').toBeLessThanOrEqual(2 * 16)
})

/** Four callers that create orders as quickly as they are answered.
 *  @param enough they go on until so many answers had that status, however long it takes */
async function underLoad(
  pool: Pool,
  name: string,
  durationMs: number,
  enough: { readonly atLeast: number; readonly of: number } = { atLeast: 0, of: 200 },
) {
  const statuses: (number | null)[] = []
  const acknowledged: string[] = []
  const ms: number[] = []
  let asks = 0
  let counted = 0
  const until = performance.now() + durationMs
  const caller = async () => {
    while (performance.now() < until || counted < enough.atLeast) {
      const requestId = `${name}-${asks++}`
      const asked = performance.now()
      const status = await create(pool, requestId)
      ms.push(performance.now() - asked)
      statuses.push(status)
      if (status === enough.of) counted += 1
      if (status === 200) acknowledged.push(requestId)
    }
  }
  await Promise.all([caller(), caller(), caller(), caller()])
  return { statuses, acknowledged, ms }
}

/** Looks orders up, a few at a time. */
async function lookUps(pool: Pool, requestIds: readonly string[]) {
  const ms: number[] = []
  let missing = 0
  const waiting = [...requestIds]
  const caller = async () => {
    for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
      const asked = performance.now()
      const path = `/v1/client/orders?${new URLSearchParams({ requestId: id, clientId: 'demo-client' })}`
      const answer = await pool.request({ method: 'GET', path, headers: { 'access-token': 'demo-token' } })
      const text = await answer.body.text()
      ms.push(performance.now() - asked)
      if (answer.statusCode !== 200 || !text.includes(`"${id}"`)) missing += 1
    }
  }
  await Promise.all([caller(), caller(), caller(), caller()])
  return { ms, missing }
}

import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { EventStream } from '../support/event-stream.ts'
import { SlowReader } from '../support/slow-reader.ts'
import { report } from './support/figures.ts'
import { connect, create } from './support/load.ts'
import { startRemote } from './support/remote.ts'

const waits = 1_000

test(`${waits} wait at once for as many orders, and each is answered in the advance that completes it`, async () => {
  const { emulator } = await startRemote(['--clock', 'manual'], { stderr: 'ignore' })
  const pool = connect(emulator.url, waits)
  const ids = Array.from({ length: waits }, (_, n) => `r-${n}`)
  const answers = ids.map(async (requestId) => {
    const { body } = await pool.request({
      method: 'POST',
      path: '/_emulator/wait',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        for: 'order',
        where: { requestId, orderStatus: 'COMPLETED' },
        timeoutMs: 60_000,
      }),
    })
    return Object(await body.json()).requestId
  })
  const makers = connect(emulator.url, 16)
  const begun = performance.now()
  await Promise.all(ids.map((id) => create(makers, id)))
  const createdMs = Math.round(performance.now() - begun)
  await emulator.control('/clock/advance', 'POST', { by: '5s' })
  expect(await Promise.all(answers)).toEqual(ids)
  report({
    area: 'waiting',
    promise: `${waits} waits at once are each answered as their order completes`,
    test: 'test/hard/watching.test.ts',
    figures: { waits, 'creates beside them, ms in all': createdMs },
  })
}, 120_000)

const slowReaders = 20
/** Kept for them, it would be a thousand. */
const mostGrownMb = 500

test(`${slowReaders} readers of events that do not read are dropped; memory stays, another reader misses nothing`, async () => {
  const { emulator, program } = await startRemote(['--clock', 'manual'], { stderr: 'ignore' })
  const slow = Array.from({ length: slowReaders }, () => new SlowReader(emulator.url, '/_emulator/events'))
  const reader = await EventStream.open(`${emulator.url}/_emulator/events`)
  const before = megabytesOf(program.child.pid)
  const pool = connect(emulator.url, 16)
  // The request log and the event stream contain 16 KiB of each.
  const calls = 3_000
  const call = async () => {
    const { body } = await pool.request({
      method: 'POST',
      path: '/v1/client/checkout/create-order',
      headers: { 'access-token': 'demo-token', 'content-type': 'application/json' },
      body: `{"filler":"${'x'.repeat(16_000)}"}`,
    })
    await body.dump()
  }
  await Promise.all(Array.from({ length: calls }, call))
  await reader.until(() => reader.events.length === calls)
  const grown = megabytesOf(program.child.pid) - before
  const readBytes = await Promise.all(slow.map((each) => each.readToTheEnd()))
  report({
    area: 'waiting',
    promise: 'a reader of events that does not read is dropped and costs no memory',
    test: 'test/hard/watching.test.ts',
    figures: {
      readers: slowReaders,
      'told, MB each': Math.round(reader.text.length / 1e6),
      'memory grown, MB': Math.round(grown),
    },
  })
  expect(Math.max(...readBytes)).toBeLessThan(reader.text.length)
  expect(grown).toBeLessThan(mostGrownMb)
}, 120_000)

const megabytesOf = (pid: number | undefined) =>
  Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' })) / 1024

import { randomInt } from 'node:crypto'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { report } from './support/figures.ts'
import { judged, startJudge } from './support/judge.ts'
import { aFolder, connect, create } from './support/load.ts'
import { startProgram } from './support/program.ts'

const kills = 30
const creators = 4

test(`after ${kills} kills in a row nothing that was acknowledged is lost, and only what was in flight is repeated`, async () => {
  const judge = await startJudge()
  // A clock on which an order's whole life takes a tenth of a second.
  const flags = ['--clock', '60x', '--database', join(aFolder(), 'e.db'), '--webhook-url', judge.url]
  const acknowledged: string[] = []
  let asked = 0

  for (let kill = 0; kill < kills; kill++) {
    const { child, exited, url } = await startProgram(flags)
    const pool = connect(url, creators)
    const loop = async () => {
      while (child.exitCode === null && child.signalCode === null) {
        const requestId = `r-${asked++}`
        if ((await create(pool, requestId)) === 200) acknowledged.push(requestId)
      }
    }
    const loops = Array.from({ length: creators }, loop)
    await pause(randomInt(20, 250))
    child.kill('SIGKILL')
    await exited
    await Promise.all(loops)
  }

  const { child, exited } = await startProgram(flags)
  await judge.until(() => acknowledged.every((id) => judge.accepted.has(`${id} COMPLETED`)))
  child.kill('SIGTERM')
  await exited

  const { lost, inverted, unequal, repeatedAfterAccepted, outcomes } = judged(acknowledged, judge)
  report({
    area: 'crash',
    promise: 'Killed at random moments under load, nothing acknowledged is lost',
    test: 'test/hard/kill-nine.test.ts',
    figures: {
      kills,
      acknowledged: acknowledged.length,
      lost: lost.length,
      inversions: inverted.length,
      repeats: repeatedAfterAccepted,
      ...outcomes,
    },
  })
  expect(acknowledged.length).toBeGreaterThan(kills)
  expect(lost).toEqual([])
  expect(inverted).toEqual([])
  expect(unequal, 'a repeat has the same id and bytes').toEqual([])
  expect(repeatedAfterAccepted, 'at most what was in flight at each kill').toBeLessThanOrEqual(kills * 16)
})

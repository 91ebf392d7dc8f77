import { randomInt } from 'node:crypto'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { aftermath, expectNothingLost, figuresOf } from './support/aftermath.ts'
import { report } from './support/figures.ts'
import { startJudge } from './support/judge.ts'
import { fastLives } from './support/lives.ts'
import { aFolder } from './support/load.ts'
import { ordeal } from './support/ordeal.ts'
import { sized } from './support/size.ts'

const kills = sized({ whole: 5, part: 3 })
/** As many connections as the load of `npm run bench`, each asking again at once. */
const creators = 64
/** By then the program answers as fast as it can, many creates in each transaction; a slow machine takes longer to come to
 *  that many answers for each connection. */
const warmAfterMs = 800
const warmAfterAnswers = 11

test(`after ${kills} kills in the middle of full load nothing that was acknowledged is lost`, async () => {
  const judge = await startJudge()
  const args = [...fastLives, '--database', join(aFolder(), 'e.db'), '--webhook-url', judge.url]
  const { acknowledged, refused, ends } = await ordeal({
    lives: kills,
    creators,
    args,
    kill: async ({ child }, load) => {
      await Promise.all([load.acknowledged(warmAfterAnswers * creators), pause(warmAfterMs)])
      await pause(randomInt(400))
      child.kill('SIGKILL')
    },
  })
  const after = await aftermath(args, judge, acknowledged)
  report({
    area: 'crash',
    promise: 'Killed under full load, nothing acknowledged is lost',
    test: 'test/hard/kill-full-load.test.ts',
    figures: { kills, connections: creators, acknowledged: acknowledged.length, ...figuresOf(after) },
  })
  expect(ends).toEqual(Array(kills).fill('SIGKILL'))
  expect(refused, 'creates that were answered, but not with 200').toBe(0)
  // More than in a single turn of each connection: the load went on between the kills.
  expect(acknowledged.length).toBeGreaterThan(10 * kills * creators)
  expectNothingLost(after)
})

import { randomInt } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { aftermath, expectNothingLost, figuresOf } from './support/aftermath.ts'
import { percentile, report } from './support/figures.ts'
import { firstRepeats, type Start } from './support/first-repeats.ts'
import { startJudge, type Treatment } from './support/judge.ts'
import { fastLives, lifeOf } from './support/lives.ts'
import { aFolder } from './support/load.ts'
import { ordeal } from './support/ordeal.ts'
import { sized } from './support/size.ts'

const kills = sized({ whole: 200, part: 20 })
const creators = 16
/** Every other life dies at a random moment within this; it may not have come to its first webhook by then. */
const longestLifeMs = 350
/** Every other life dies within this after its first webhook and so many answers, however long a slow machine takes to
 *  come to them. */
const longestAfterWebhookMs = 150
const answersBefore = 25
/** Of one receiver's webhooks, as many are in flight at most. */
const inFlight = 16
/** The promises, in milliseconds; a slow machine may take three times as long. */
const firstRepeatWithinMs = 2_000
const allWithinMs = 90_000

test(`after ${kills} kills in a row nothing that was acknowledged is lost, and only what was in flight is repeated`, async () => {
  const begun = performance.now()
  const judge = await startJudge(moody)
  const folder = aFolder()
  const settings = join(folder, 'settings.yaml')
  // At that speed a retry's wait is 18 to 170 ms, and no delivery is ever given up.
  const retries = 'webhook.retry.base: 5h\nwebhook.retry.cap: 2d\nwebhook.retry.max: 50\n'
  writeFileSync(settings, `webhook.timeout: 400ms\n${retries}`)
  // An order's life takes a tenth of a second, half a second with its refunds, 8 seconds with its charges.
  const args = [...fastLives, '--database', join(folder, 'e.db'), '--settings', settings]
  args.push('--webhook-url', judge.url)

  const starts: Start[] = []
  const { acknowledged, refused, ends, readyMs } = await ordeal({
    lives: kills,
    creators,
    scenario: lifeOf,
    args,
    onStart: () => starts.push({ at: performance.now(), arrivals: judge.arrivals.length }),
    kill: async ({ child }, load) => {
      if (starts.length % 2 === 0) {
        const before = starts.at(-1)?.arrivals ?? 0
        const webhook = judge.until(() => judge.arrivals.length > before)
        await Promise.all([webhook, load.acknowledged(answersBefore)])
        await pause(randomInt(longestAfterWebhookMs))
      } else await pause(randomInt(5, longestLifeMs))
      child.kill('SIGKILL')
    },
  })
  starts.push({ at: performance.now(), arrivals: judge.arrivals.length })
  const after = await aftermath(args, judge, acknowledged)

  const repeatMs = firstRepeats(judge.arrivals, starts)
  const tookMs = performance.now() - begun
  report({
    area: 'crash',
    promise: 'Killed at random moments under load, nothing acknowledged is lost',
    test: 'test/hard/kill-nine.test.ts',
    figures: {
      kills,
      'of them with repeats': repeatMs.length,
      acknowledged: acknowledged.length,
      ...figuresOf(after),
      'start p50 ms': Math.round(percentile(readyMs, 0.5)),
      'start max ms': Math.round(Math.max(...readyMs, after.readyMs)),
      'start of the last ms': Math.round(after.readyMs),
      'start to first repeat p50 ms': Math.round(percentile(repeatMs, 0.5)),
      'start to first repeat max ms': Math.round(Math.max(...repeatMs)),
      'drain ms': Math.round(after.drainMs),
      'all ms': Math.round(tookMs),
    },
  })
  expect(ends).toEqual(Array(kills).fill('SIGKILL'))
  expect(refused, 'creates that were answered, but not with 200').toBe(0)
  expect(acknowledged.length).toBeGreaterThan(10 * kills)
  expectNothingLost(after)
  expect(after.repeatedAfterAccepted, 'at most what was in flight').toBeLessThanOrEqual(kills * inFlight)
  expect(after.attempts.unknown, 'at most what was in flight').toBeLessThanOrEqual(kills * inFlight)
  // Lives that end before their first webhook repeat nothing.
  expect(repeatMs.length).toBeGreaterThan(kills / 4)
  expect(Math.max(...repeatMs)).toBeLessThan(3 * firstRepeatWithinMs)
  expect(tookMs).toBeLessThan(3 * allWithinMs)
})

/** A receiver as they are: now and then it fails, now and then it never answers. */
function moody(): Treatment {
  const mood = randomInt(100)
  if (mood < 4) return 503
  if (mood < 7) return 500
  return mood < 8 ? 'hang' : 200
}

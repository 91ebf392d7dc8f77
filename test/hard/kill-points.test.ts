import { randomInt } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { aftermath, expectNothingLost, figuresOf } from './support/aftermath.ts'
import { report } from './support/figures.ts'
import { startJudge } from './support/judge.ts'
import { killedBy, proofsIn } from './support/killers.ts'
import { fastLives, lifeOf } from './support/lives.ts'
import { aFolder } from './support/load.ts'
import { ordeal } from './support/ordeal.ts'
import { sized } from './support/size.ts'

const kills = sized({ whole: 20, part: 3 })
const inFlight = 16

test(`${kills} kills at each point of a write under load lose nothing, and no transaction is written in part`, async () => {
  const points = [
    'before the transaction',
    'in the transaction',
    'after the transaction',
    'after the claim',
  ] as const
  // Side by side: none of them measures time.
  const ends = await Promise.all(points.map(async (point) => [point, await killedAt(point)] as const))
  for (const [point, { after, acknowledged, proofs }] of ends) {
    report({
      area: 'crash',
      promise: `Killed under load ${point}, nothing acknowledged is lost`,
      test: 'test/hard/kill-points.test.ts',
      figures: { kills: proofs.length, acknowledged: acknowledged.length, ...figuresOf(after) },
    })
  }
  for (const [point, { after, proofs }] of ends) {
    expect(proofs, point).toHaveLength(kills)
    expectNothingLost(after, point)
    expect(after.repeatedAfterAccepted, point).toBeLessThanOrEqual(kills * inFlight)
    const there = proofs.flatMap(({ orders }) => orders).filter((id) => after.orderIds.has(id))
    const written = point === 'in the transaction' ? [] : proofs.flatMap(({ orders }) => orders)
    if (point !== 'after the claim') expect(there, point).toEqual(written)
  }
  expect(ends[2]?.[1].proofs.flatMap(({ orders }) => orders).length).toBeGreaterThanOrEqual(kills)
})

async function killedAt(point: Parameters<typeof killedBy>[0]['point']) {
  const judge = await startJudge()
  const folder = aFolder()
  const proof = join(folder, 'proof')
  const args = [...fastLives, '--database', join(folder, 'e.db'), '--webhook-url', judge.url]
  let life = 0
  const armedBy = () => join(folder, `armed-${life}`)
  const { acknowledged, ends } = await ordeal({
    lives: kills,
    creators: 4,
    scenario: lifeOf,
    args,
    options: () => killedBy({ point, nth: randomInt(1, 40), armedBy: armedBy(), proof }),
    onStart: (number) => {
      life = number
    },
    onReady: () => writeFileSync(armedBy(), ''),
  })
  expect(ends, point).toEqual(Array(kills).fill('SIGKILL'))
  return { acknowledged, proofs: proofsIn(proof), after: await aftermath(args, judge, acknowledged) }
}

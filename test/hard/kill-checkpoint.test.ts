import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { aftermath, expectNothingLost, figuresOf } from './support/aftermath.ts'
import { leftBy, type Progress } from './support/checkpoint.ts'
import { report } from './support/figures.ts'
import { startJudge } from './support/judge.ts'
import { killedInCheckpoint } from './support/killers.ts'
import { fastLives, lifeOf } from './support/lives.ts'
import { aFolder } from './support/load.ts'
import { ordeal } from './support/ordeal.ts'
import { sized } from './support/size.ts'

const kills = sized({ whole: 20, part: 3 })
/** Not each of them comes to a kill within a checkpoint. */
const mostLives = 60

test(`${kills} kills in the middle of a checkpoint lose nothing`, async () => {
  const judge = await startJudge()
  const folder = aFolder()
  const file = join(folder, 'e.db')
  const args = [...fastLives, '--database', file, '--webhook-url', judge.url]
  const left: ReturnType<typeof leftBy>[] = []
  const armedBy = () => join(folder, `armed-${left.length}`)
  const { acknowledged, ends } = await ordeal({
    lives: mostLives,
    // On a busy machine the thread that kills may miss the copying, which takes less than a millisecond.
    enough: () => left.filter(isWithin).length >= kills && left.some(isCopying),
    creators: 16,
    scenario: lifeOf,
    args,
    options: () => killedInCheckpoint({ file, armedBy: armedBy() }),
    // The start has a checkpoint of its own, of what the life before has left.
    onReady: () => writeFileSync(armedBy(), ''),
    onEnd: () => left.push(leftBy(file)),
  })
  const after = await aftermath(args, judge, acknowledged)

  const within = left.filter(isWithin)
  const copying = within.filter(isCopying)
  const shares = copying.map(({ copied, pages }) => Math.round((100 * copied) / pages))
  report({
    area: 'crash',
    promise: 'Killed in a checkpoint, nothing acknowledged is lost',
    test: 'test/hard/kill-checkpoint.test.ts',
    figures: {
      kills: ends.length,
      'in a checkpoint': within.length,
      'while it copied': copying.length,
      'of its pages copied by then': `${Math.min(...shares)} to ${Math.max(...shares)} %`,
      acknowledged: acknowledged.length,
      ...figuresOf(after),
    },
  })
  expect(new Set(ends)).toEqual(new Set(['SIGKILL']))
  expect(within.length).toBeGreaterThanOrEqual(kills)
  expect(copying).not.toEqual([])
  expectNothingLost(after)
})

/** Whether the kill came before the end of the checkpoint. The thread that kills can be a moment late. */
const isWithin = ({ done, wanted }: Progress) => wanted > done

const isCopying = ({ copied, pages }: ReturnType<typeof leftBy>) => copied > 0 && copied < pages

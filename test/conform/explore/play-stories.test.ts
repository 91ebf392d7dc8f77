import { expect, test } from 'vitest'
import { playStories, type StoryInWords } from '../../../src/conform/index.ts'
// `startEmulator` loads it late; on a busy machine that would take longer than a test may.
import '../../../src/app/emulator.ts'
import { CarefulShop } from '../support/careful-shop.ts'
import { shops } from '../support/model-shop.ts'
import { RacingShop } from '../support/racing-shop.ts'

const race: StoryInWords = {
  name: 'released twice',
  promise: 'released-once',
  acts: ['create', 'hold webhooks', 'pay', { together: ['reconcile', 'the browser returns'] }],
}
test('a race', async () => {
  const { emulator, open } = await shops()
  const { config } = await open(RacingShop)
  const r = await playStories(emulator, config, [race])
  console.log(JSON.stringify(r, null, 1))
})
test('a good one', async () => {
  const { emulator, open } = await shops()
  const { config } = await open(CarefulShop)
  const r = await playStories(emulator, config, [race])
  console.log(JSON.stringify(r, null, 1))
})

import { expect, test } from 'vitest'
import { type ExploreOptions, explore } from '../../../src/conform/index.ts'
import { shops } from '../support/model-shop.ts'
// `startEmulator` loads it late; on a busy machine that would take longer than a test may.
import '../../../src/app/emulator.ts'

test.each<[ExploreOptions, string]>([
  [{ timeMs: 0 }, 'timeMs: expected more than 0, not 0'],
  [{ timeMs: Number.NaN }, 'timeMs: expected more than 0, not NaN'],
  [{ stories: 0 }, 'stories: expected a whole number of at least 1, not 0'],
  [{ acts: 31 }, 'acts: expected a whole number from 2 to 30, not 31'],
  [{ atOnce: 1.5 }, 'atOnce: expected a whole number from 1 to 64, not 1.5'],
  [{ near: [['create'], ['refund all']] }, 'near: only a paid order can be refunded; put `pay` before it'],
])('%j is out of range', async (options, message) => {
  const { emulator } = await shops()
  await expect(explore(emulator, {}, options)).rejects.toThrow(new RangeError(message))
})

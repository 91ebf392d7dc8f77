import { test } from 'vitest'
// `startEmulator` loads it late; on a busy machine that would take longer than a test may.
import '../../src/app/emulator.ts'
import { startEmulator, type TestClient, type TestEmulator } from '../../src/index.ts'

/** A test that has what the TypeScript of the guides is written for: an emulator whose clocks stand still, and a client
 *  of its own. */
export const guide = test.extend<{ emulator: TestEmulator; client: TestClient }>({
  emulator: [
    // biome-ignore lint/correctness/noEmptyPattern: vitest reads from it which fixtures are asked for
    async ({}, use) => {
      await using emulator = await startEmulator({ clock: 'manual' })
      await use(emulator)
    },
    { scope: 'file' },
  ],
  client: async ({ emulator }, use) => use(await emulator.createClient()),
})

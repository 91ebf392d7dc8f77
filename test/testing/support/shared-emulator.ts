import { beforeAll } from 'vitest'
import type { TestEmulator } from '../../../src/index.ts'
import type { Begin } from './forms.ts'

/** One emulator for all tests of a `describe`, whose clocks stand still; each test has a client of its own. */
export function sharedEmulator(begin: Begin): () => TestEmulator {
  const shared: TestEmulator[] = []
  beforeAll(async () => {
    const closings: (() => Promise<void>)[] = []
    shared.push(await begin({ clock: 'manual' }, (close) => closings.unshift(close)))
    return async () => {
      for (const close of closings) await close()
    }
  })
  return () => {
    const [emulator] = shared
    if (emulator === undefined) throw new Error('the shared emulator has not begun yet')
    return emulator
  }
}

import { afterAll, beforeAll, describe, onTestFinished } from 'vitest'
import { connectEmulator, type StartOptions, startEmulator, type TestEmulator } from '../../../src/index.ts'
import { startTestEmulator, startTime } from '../../support/emulator.ts'

/** When something closes: at the end of the test, if nothing else is said. */
type AtEnd = (close: () => Promise<void>) => void

/** Begins an emulator that closes itself. */
export type Begin = (options?: StartOptions, atEnd?: AtEnd) => Promise<TestEmulator>

/** The forms in which a test may have an emulator. Whatever is tested of the library is tested in each. */
export const forms: readonly [form: string, begin: Begin][] = [
  ['in this process', (options, atEnd) => closed(startEmulator(options), atEnd)],
  ['without a port', (options, atEnd) => closed(startEmulator({ ...options, listen: false }), atEnd)],
  [
    'reached over HTTP',
    async (options, atEnd) => {
      const own = { clock: 'real', startTime: undefined, seed: undefined, ...copied(options) }
      const { url } = await startTestEmulator(own, atEnd)
      return closed(connectEmulator(url), atEnd)
    },
  ],
]

/** Without what the configuration wants to be able to write to. */
const copied = ({ scenarios, fixtures, webhookAllow, ...rest }: StartOptions = {}) => ({
  ...rest,
  ...(scenarios && { scenarios: [...scenarios] }),
  ...(fixtures && { fixtures: [...fixtures] }),
  ...(webhookAllow && { webhookAllow: [...webhookAllow] }),
})

async function closed(
  beginning: Promise<TestEmulator>,
  atEnd: AtEnd = onTestFinished,
): Promise<TestEmulator> {
  const emulator = await beginning
  atEnd(() => emulator.close())
  return emulator
}

/** Runs the same tests in each form, on one emulator with stopped clocks.
 *  @param tests receives the emulator when they run */
export function inEachForm(about: string, tests: (emulator: () => TestEmulator) => void): void {
  describe.each(forms)(`${about}, of an emulator %s`, (_, begin) => {
    let emulator: TestEmulator | undefined
    beforeAll(async () => {
      emulator = await begin({ clock: 'manual', startTime }, afterAll)
    })
    tests(() => {
      if (emulator === undefined) throw new Error('not started')
      return emulator
    })
  })
}

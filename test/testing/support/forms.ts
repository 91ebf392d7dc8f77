import { onTestFinished } from 'vitest'
import { connectEmulator, type StartOptions, startEmulator, type TestEmulator } from '../../../src/index.ts'
import { startTestEmulator } from '../../support/emulator.ts'

/** The forms in which a test may have an emulator. Whatever is tested of the library is tested in each. */
export const forms: readonly [form: string, begin: (options?: StartOptions) => Promise<TestEmulator>][] = [
  ['in this process', (options) => closed(startEmulator(options))],
  ['without a port', (options) => closed(startEmulator({ ...options, listen: false }))],
  [
    'reached over HTTP',
    async (options) => {
      const { url } = await startTestEmulator({
        clock: 'real',
        startTime: undefined,
        seed: undefined,
        ...copied(options),
      })
      return closed(connectEmulator(url))
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

async function closed(beginning: Promise<TestEmulator>): Promise<TestEmulator> {
  const emulator = await beginning
  onTestFinished(() => emulator.close())
  return emulator
}

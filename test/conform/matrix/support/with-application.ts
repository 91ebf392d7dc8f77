import { readFileSync } from 'node:fs'
import { parse } from 'yaml'
import { startEmulator, type TestEmulator } from '../../../../src/index.ts'
import { type Chosen, RunningApplication } from './running-application.ts'

/** The settings of the provider that an application is made for. */
const settingsFor = ({ adapted }: Chosen) =>
  adapted ? parse(readFileSync(`docs/settings/${adapted.provider}.yaml`, 'utf8')) : {}

/** Starts a reference application beside an emulator of its own, which follows its provider, and ends both after
 *  `use`. */
export async function withApplication<T>(
  chosen: Chosen,
  use: (emulator: TestEmulator, application: RunningApplication) => Promise<T>,
): Promise<T> {
  await using emulator = await startEmulator({ settings: settingsFor(chosen) })
  // Without a token it asks for one, as K30, K31 and the act `tokens expire` need.
  const { PAYMENT_ORDER_ACCESS_TOKEN: _, ...env } = (await emulator.client('demo-client')).env
  await using application = await RunningApplication.start(chosen, env)
  return await use(emulator, application)
}

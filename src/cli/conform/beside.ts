import type { ConformConfig } from '../../conform/index.ts'
import { clientVariables } from '../../pages/client-variables.ts'
import type { ControlAccess } from '../control-call.ts'
import { GiveUp } from '../give-up.ts'
import { createLog } from '../log/log.ts'
import { withSettings } from '../serve/load-settings.ts'
import { readServeOptions } from '../serve/options.ts'
import { placeOf } from '../serve/place.ts'
import { start } from '../serve/start.ts'
import type { Terminal } from '../terminal.ts'
import { ApplicationProcess } from './application-process.ts'

/** Runs an application beside an emulator of its own, with the variables that `exec` sets, and ends both after use.
 *  @param use called once the application accepts connections where it takes webhooks
 *  @throws GiveUp if either cannot be started */
export async function beside<T>(
  command: readonly string[],
  { webhookUrl, client }: ConformConfig,
  { terminal, signal }: { terminal: Terminal; signal: AbortSignal },
  use: (access: ControlAccess) => Promise<T>,
): Promise<T> {
  if (webhookUrl === undefined)
    throw new GiveUp(2, 'error: with a command, webhookUrl is needed: it tells when the application runs')
  const options = readServeOptions({ port: '0', clientId: client }, terminal.env)
  const config = { ...withSettings(options), place: placeOf(terminal.env) }
  const { emulator, url, close } = await start(config, await createLog('silent', terminal, config.clientId))
  try {
    const variables = {
      ...clientVariables(url, emulator.demoClient()),
      EMULATOR_URL: url,
      EMULATOR_CLIENT_ID: config.clientId,
    }
    const application = new ApplicationProcess(command, { ...terminal.env, ...variables })
    try {
      await application.accepting(webhookUrl, signal)
      return await use({ url, controlToken: emulator.controlToken })
    } finally {
      await application.end()
    }
  } finally {
    await close()
  }
}

import type { ConformConfig } from '../../conform/index.ts'
import { clientVariables } from '../../pages/client-variables.ts'
import type { ControlAccess } from '../control-call.ts'
import { GiveUp } from '../give-up.ts'
import { createLog } from '../log/log.ts'
import { withSettings } from '../serve/load-settings.ts'
import { readServeOptions } from '../serve/options.ts'
import { placeOf } from '../serve/place.ts'
import { start } from '../serve/start.ts'
import type { Environment, Terminal } from '../terminal.ts'
import { ApplicationProcess, expectNobodyAt } from './application-process.ts'

/** Runs an application beside an emulator of its own, with the variables that `exec` sets, and ends both after use.
 *  @param use called once the application accepts connections where it takes webhooks
 *  @returns what came of it, and what is to be said of the application if it ended before that
 *  @throws GiveUp if either cannot be started */
export async function beside<T>(
  command: readonly string[],
  { webhookUrl: configured, client }: ConformConfig,
  { terminal, signal }: { terminal: Terminal; signal: AbortSignal },
  use: (access: ControlAccess) => Promise<T>,
): Promise<{ result: T; obituary: string | null }> {
  const webhookUrl = configured ?? (terminal.env.EMULATOR_WEBHOOK_URL || undefined)
  if (webhookUrl === undefined)
    throw new GiveUp(
      2,
      'error: with a command, `webhookUrl` is required: the application counts as started once it listens there',
    )
  await expectNobodyAt(webhookUrl)
  const options = readServeOptions({ port: '0', clientId: client }, ofTheClient(terminal.env))
  const config = { ...withSettings(options), place: placeOf(terminal.env) }
  const { emulator, url, close } = await start(config, createLog('silent', terminal, config.clientId))
  try {
    const variables = {
      ...clientVariables(url, emulator.demoClient()),
      EMULATOR_URL: url,
      EMULATOR_CLIENT_ID: config.clientId,
    }
    const application = new ApplicationProcess(command, { ...terminal.env, ...variables })
    try {
      await application.accepting(webhookUrl, signal)
      const result = await use({ url, controlToken: emulator.controlToken })
      return { result, obituary: application.obituary }
    } finally {
      await application.end()
    }
  } finally {
    await close()
  }
}

/** What an application may have been told of its client. A database, a clock or settings are those of another emulator,
 *  which the run is to leave alone. */
const clientVariableNames = [
  ...['EMULATOR_CLIENT_ID', 'EMULATOR_API_SECRET', 'EMULATOR_ACCESS_TOKEN'],
  ...['EMULATOR_WEBHOOK_SECRET', 'EMULATOR_WEBHOOK_URL', 'EMULATOR_WEBHOOK_ALLOW'],
]

const ofTheClient = (env: Environment): Environment =>
  Object.fromEntries(clientVariableNames.map((name) => [name, env[name]]))

import { reaches } from '../../conform/application/pulse.ts'
import type { ApplicationProcess, ConformConfig } from '../../conform/index.ts'
import { maskedUrl } from '../../domain/journal/masking.ts'
import { clientVariables } from '../../pages/client-commands.ts'
import { CliError } from '../cli-error.ts'
import type { ControlAccess } from '../emulator-url.ts'
import { createLog } from '../log/log.ts'
import { readServeOptions, withSettings } from '../serve/options.ts'
import { placeOf, start } from '../serve/start.ts'
import type { Environment, Terminal } from '../terminal.ts'
import type { CommandName } from './options.ts'
import { StartedApplication } from './started-application.ts'

/** Refuses to start if a server already accepts connections there: the check would test that server.
 *  @throws CliError */
async function expectNobodyAt(url: string, name: CommandName): Promise<void> {
  if (await reaches(url))
    throw new CliError(
      2,
      `error: something already listens at ${maskedUrl(url)}, and \`${name}\` would test that instead of the command; stop it first, or leave the command out to test it`,
    )
}

/** How an application is run beside its own emulator. */
export interface Surroundings {
  /** The command that tests the application. */
  readonly name: CommandName
  readonly terminal: Terminal
  readonly signal: AbortSignal
  /** The working directory of the application; default: that of this program. */
  readonly cwd?: string | undefined
  /** How long it may take to accept connections; default: a minute. */
  readonly startMs?: number | undefined
}

/** Runs an application beside its own emulator, with the environment variables of `exec`, and ends both after use.
 *  @param use called once the application accepts connections at its webhook URL
 *  @returns the result of `use`, and why the application ended if it ended early
 *  @throws CliError if the emulator or the application cannot be started */
export async function beside<T>(
  command: readonly string[],
  { webhookUrl: configured, client }: ConformConfig,
  { name, terminal, signal, cwd, startMs }: Surroundings,
  use: (access: ControlAccess, application: ApplicationProcess) => Promise<T>,
): Promise<{ result: T; obituary: string | null }> {
  const webhookUrl = configured ?? (terminal.env.EMULATOR_WEBHOOK_URL || undefined)
  if (webhookUrl === undefined)
    throw new CliError(
      2,
      'error: with a command, `webhookUrl` is required: the application counts as started once it listens there',
    )
  await expectNobodyAt(webhookUrl, name)
  const options = readServeOptions({ port: '0', clientId: client }, ofTheClient(terminal.env))
  const config = { ...withSettings(options), place: placeOf(terminal.env) }
  const { emulator, url, close } = await start(config, createLog('silent', terminal, config.clientId))
  try {
    const variables = {
      ...clientVariables(url, emulator.demoClient()),
      EMULATOR_URL: url,
      EMULATOR_CLIENT_ID: config.clientId,
    }
    const env = { ...terminal.env, ...variables }
    const application = new StartedApplication({ command, env, cwd, startMs, webhookUrl, signal })
    try {
      await application.accepting()
      const result = await use({ url, controlToken: emulator.controlToken }, application)
      return { result, obituary: application.obituary }
    } finally {
      await application.end()
    }
  } finally {
    await close()
  }
}

/** Environment variables about the client that are passed on. A database, a clock or settings belong to another
 *  emulator, which this run must not touch. */
const clientVariableNames = [
  ...['EMULATOR_CLIENT_ID', 'EMULATOR_API_SECRET', 'EMULATOR_ACCESS_TOKEN'],
  ...['EMULATOR_WEBHOOK_SECRET', 'EMULATOR_WEBHOOK_URL', 'EMULATOR_WEBHOOK_ALLOW'],
]

const ofTheClient = (env: Environment): Environment =>
  Object.fromEntries(clientVariableNames.map((name) => [name, env[name]]))

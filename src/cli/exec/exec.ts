import { clientVariables } from '../../pages/client-commands.ts'
import { warnOfIgnored } from '../check/named-files.ts'
import { execCoverage } from '../coverage/exec-coverage.ts'
import { isServiceLink } from '../emulator-url.ts'
import { createLog } from '../log/log.ts'
import { coverageVariable } from '../output-files.ts'
import { readServeOptions, withSettings } from '../serve/options.ts'
import { placeOf, start } from '../serve/start.ts'
import { startFacts } from '../serve/start-text.ts'
import { onLauncherEnd } from '../stop.ts'
import type { Environment, Terminal } from '../terminal.ts'
import { ChildCommand } from './child-command.ts'

/** Runs `exec`: runs a command beside its own emulator, and ends with the command's exit code.
 *  @throws CliError */
export async function exec(
  command: readonly string[],
  flags: Readonly<Record<string, unknown>>,
  terminal: Terminal,
): Promise<number> {
  const options = readServeOptions(withFreePort(flags, terminal.env), terminal.env)
  const config = { ...withSettings(options), place: placeOf(terminal.env) }
  const aside = onStandardError(terminal)
  warnOfIgnored(config.scenarios, terminal)
  const coverage = execCoverage(flags, aside)
  const child = new ChildCommand(command)
  const ignoreLauncher = onLauncherEnd(() => child.end())
  try {
    const log = createLog(options.log ?? 'silent', aside, config.clientId)
    const { folder } = coverage
    const running = await start(config, log, { coverageFolder: folder })
    const { emulator, url } = running
    log.ready(startFacts(emulator, config, url, { env: terminal.env, keys: false }))
    let exitCode: number
    try {
      const token = emulator.controlToken
      exitCode = await child.run({
        ...terminal.env,
        ...clientVariables(url, emulator.demoClient()),
        EMULATOR_URL: url,
        EMULATOR_CLIENT_ID: config.clientId,
        ...(token === null ? {} : { EMULATOR_CONTROL_TOKEN: token }),
        ...(folder === undefined ? {} : { [coverageVariable]: folder }),
      })
    } finally {
      await running.close()
    }
    return coverage.report(exitCode)
  } finally {
    ignoreLauncher()
    child.dispose()
    coverage.dispose()
  }
}

/** Redirects our output to standard error, because standard output belongs to the command. */
const onStandardError = (terminal: Terminal): Terminal => ({
  env: terminal.env,
  interactive: false,
  colours: terminal.colours,
  columns: null,
  keyboard: null,
  readInput: () => Promise.resolve(null),
  ask: () => Promise.resolve(null),
  out: (text) => terminal.err(text),
  err: (text) => terminal.err(text),
  overwrite: (text) => terminal.overwrite(text),
})

/** Uses a free port by default: another emulator may use the usual one. */
function withFreePort(
  flags: Readonly<Record<string, unknown>>,
  { EMULATOR_PORT: port = '' }: Environment,
): Readonly<Record<string, unknown>> {
  const isChosen = flags.port !== undefined || (port !== '' && !isServiceLink(port))
  return isChosen ? flags : { ...flags, port: '0' }
}

import { Command, CommanderError } from 'commander'
import { version } from '../app/package.ts'
import { didYouMean, nearest, shown, ticked } from '../domain/text/issue-words.ts'
import { checkCommand } from './check/check-command.ts'
import { CliError } from './cli-error.ts'
import { completionCommand } from './completion/completion-command.ts'
import { conformCommand } from './conform/conform-command.ts'
import { coverageCommand } from './coverage/coverage-command.ts'
import { isServiceLink } from './emulator-url.ts'
import { execCommand } from './exec/exec-command.ts'
import { explainCommand } from './explain/explain-command.ts'
import { exploreCommand } from './explore/explore-command.ts'
import { healthCommand } from './health/health-command.ts'
import { keepCommand } from './keep/keep-command.ts'
import { driftCommand, learnCommand } from './learn/learn-command.ts'
import { listenCommand } from './listen/listen-command.ts'
import { pushCommand } from './push/push-command.ts'
import { serveFlags, variableOf } from './serve/flags.ts'
import { serveCommand } from './serve/serve-command.ts'
import { signCommand } from './sign/sign-command.ts'
import { statusCommand } from './status/status-command.ts'
import { sweepCommand } from './sweep/sweep-command.ts'
import type { Environment, Terminal } from './terminal.ts'
import { waitCommand } from './wait/wait-command.ts'

const prefix = 'EMULATOR_'
/** `EMULATOR_SWEEP` and `EMULATOR_COVERAGE_DIR` are variables of the library. */
const known = [
  ...serveFlags.map(({ name }) => variableOf(name)),
  'EMULATOR_URL',
  'EMULATOR_SWEEP',
  'EMULATOR_COVERAGE_DIR',
]

/** Compares names of environment variables; on Windows their case does not matter. */
const isKnown = (name: string): boolean =>
  known.includes(process.platform === 'win32' ? name.toUpperCase() : name)

/** Warns about variables that begin with our prefix but have no effect, with the most similar known name. */
export function unknownVariables(env: Environment): string[] {
  return Object.keys(env)
    .filter((name) => name.toUpperCase().startsWith(prefix) && !isKnown(name))
    .filter((name) => env[name] !== '' && !isServiceVariable(name, env[name]))
    .map((name) => {
      const near = nearest(
        name.slice(prefix.length),
        known.map((each) => each.slice(prefix.length)),
      )
      const hint =
        near === undefined
          ? '`payment-order-emulator help serve` lists the flags'
          : `did you mean \`${prefix}${near}\`?`
      return `${ticked(name)} is not a variable of this program and has no effect; ${hint}`
    })
}

/** Warns if `EMULATOR_PORT` is the address of a Kubernetes service instead of a port; null if not. */
export function serviceLinkWarning({ EMULATOR_PORT: port = '' }: Environment): string | null {
  if (!isServiceLink(port)) return null
  return `\`EMULATOR_PORT\` is ${shown(port)}, which Kubernetes sets for a service called "emulator", so it is ignored; choose a port with \`--port\`, or set \`enableServiceLinks: false\` for the pod`
}

/** Whether Kubernetes sets the variable, for a service whose name begins with "emulator". */
function isServiceVariable(name: string, value = ''): boolean {
  return (
    /_SERVICE_(HOST|PORT(_[A-Z0-9_]+)?)$/.test(name) ||
    /_PORT_\d+_(TCP|UDP|SCTP)(_(PROTO|PORT|ADDR))?$/.test(name) ||
    (name.endsWith('_PORT') && isServiceLink(value))
  )
}

const examples = `
Examples:
  $ payment-order-emulator                       start with a demo client, no configuration needed
  $ payment-order-emulator listen                receive its webhooks, in a second terminal
  $ payment-order-emulator exec -- npm test      run tests with their own emulator
  $ payment-order-emulator sweep -- npm test     rerun the tests under each legal behaviour of the service
  $ payment-order-emulator learn capture.har     find the settings with which it behaves as the real service
  $ payment-order-emulator conform               find integration bugs in your application
  $ payment-order-emulator explore -- npm start  search for stories that break your application
  $ payment-order-emulator --clock manual        start with a clock that only tests move
  $ payment-order-emulator explain happy         show what happens to an order, without running it
  $ payment-order-emulator help serve         all flags of the emulator

In a checkout, "npm start -- listen" is "payment-order-emulator listen".`

/** Runs one command line.
 *  @param argv without the paths of Node and the program
 *  @returns the exit code: 0 success, 1 a check failed or the emulator could not be reached, 2 wrong usage; for
 *    `exec` that of its command */
export async function run(argv: readonly string[], terminal: Terminal): Promise<number> {
  let exitCode = 0
  const { own, beside } = wordsOf(argv)
  const ends = (code: number) => {
    exitCode = code
  }
  const program = programOf(terminal, ends, beside)
  for (const command of [program, ...program.commands]) plainly(command, terminal)
  try {
    refuseUnknownCommand(argv[0] === 'help' ? argv[1] : argv[0], program)
    await program.parseAsync([...own], { from: 'user' })
    return exitCode
  } catch (error) {
    return reportError(error, terminal)
  }
}

/** Splits the command line at `--`: the rest is the command that `conform` or `explore` runs. `exec` parses its
 *  command itself. */
function wordsOf(argv: readonly string[]): { own: readonly string[]; beside: readonly string[] | null } {
  const dashes = argv.indexOf('--')
  if (!['conform', 'explore'].includes(argv[0] ?? '') || dashes === -1) return { own: argv, beside: null }
  return { own: argv.slice(0, dashes), beside: argv.slice(dashes + 1) }
}

/** Builds the program with all commands. The code of a command is loaded when it is used, so that `health` and
 *  `--help` are fast.
 *  @param beside the command that `conform` or `explore` runs, if given */
export function programOf(
  terminal: Terminal,
  ends: (exitCode: number) => void,
  beside: readonly string[] | null = null,
): Command {
  const program = new Command('payment-order-emulator')
    .description('A local emulator of the Payment Order Service.')
    .version(version, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print this help')
    // The arguments after the command of `exec` belong to that command.
    .enablePositionalOptions()
    .addHelpText('after', examples)
  const serve = serveCommand().action(async (flags, { args }: Command) => {
    refuseArguments(args, program)
    ends(await (await import('./serve/serve.ts')).serve(flags, terminal))
  })
  program.addCommand(serve, { isDefault: true })
  program.hook('preAction', (_, command) => warnOfVariables(command, terminal))
  for (const command of [
    execCommand().action(async (command, flags) =>
      ends(await (await others()).exec(command, flags, terminal)),
    ),
    listenCommand().action(async (flags) => ends(await (await others()).listen(flags, terminal))),
    sweepCommand().action(async (command, flags) =>
      ends(await (await others()).sweepTests(command, flags, terminal)),
    ),
    coverageCommand().action(async (flags) => ends(await (await others()).coverage(flags, terminal))),
    conformCommand().action(async (file, flags) =>
      ends(await (await import('./conform/conform.ts')).conformTo(file, beside, flags, terminal)),
    ),
    exploreCommand().action(async (file, flags) =>
      ends(await (await import('./explore/explore.ts')).exploreTo(file, beside, flags, terminal)),
    ),
    checkCommand().action(async (paths, flags) => ends(await (await others()).check(paths, flags, terminal))),
    explainCommand().action(async (scenario, flags) =>
      ends(await (await others()).explainScenario(scenario, flags, terminal)),
    ),
    signCommand().action(async (body, flags) => ends(await (await others()).signBody(body, flags, terminal))),
    keepCommand().action(async (orderId, flags) =>
      ends(await (await others()).keep(orderId, flags, terminal)),
    ),
    learnCommand().action(async (captures, flags) =>
      ends(await (await others()).learn(captures, flags, terminal)),
    ),
    driftCommand().action(async (settings, captures, flags) =>
      ends(await (await others()).drift(settings, captures, flags, terminal)),
    ),
    pushCommand().action(async (paths, flags) => ends(await (await others()).push(paths, flags, terminal))),
    waitCommand().action(async (flags) => ends(await (await others()).wait(flags, terminal))),
    statusCommand().action(async (flags) => ends(await (await others()).status(flags, terminal))),
    healthCommand().action(async (flags) =>
      ends(await (await import('./health/health.ts')).health(flags, terminal)),
    ),
    completionCommand().action(async (shell) =>
      ends(await (await others()).completion(shell, program, terminal)),
    ),
  ]) {
    program.addCommand(command)
  }
  return program
}

/** Imports the code of most commands. */
const others = () => import('./commands.ts')

/** Warns about variables without effect, in commands that read variables. */
function warnOfVariables(command: Command, terminal: Terminal): void {
  if (['check', 'completion', 'learn', 'drift'].includes(command.name())) return
  for (const warning of unknownVariables(terminal.env)) terminal.err(`warning: ${warning}`)
  const wantsPort = command.name() === 'serve' && command.opts().port === undefined
  const warning = wantsPort ? serviceLinkWarning(terminal.env) : null
  if (warning !== null) terminal.err(`warning: ${warning}`)
}

/** Makes errors exceptions, with one-line messages and our exit codes. */
function plainly(command: Command, terminal: Terminal): void {
  command.exitOverride().configureOutput({
    writeOut: (text) => terminal.out(text.trimEnd()),
    writeErr: (text) => terminal.err(text.trimEnd()),
    outputError: (text, write) => write(text.trim().replaceAll(/\s*\n\s*/g, ' ')),
    getOutHasColors: () => terminal.colours,
  })
}

/** Reports an unknown command, which the default command would take as an argument. */
function refuseUnknownCommand(word: string | undefined, program: Command): void {
  const names = ['help', ...program.commands.map((command) => command.name())]
  if (word === undefined || word.startsWith('-') || names.includes(word)) return
  const hint = didYouMean(word, names) || `; there are ${names.toSorted().join(', ')}`
  throw new CliError(2, `error: unknown command ${JSON.stringify(word)}${hint}`)
}

/** Reports a command name after flags of `serve`, which would take it as an argument. */
function refuseArguments([word]: readonly string[], program: Command): void {
  if (word === undefined) return
  if (!program.commands.some((command) => command.name() === word))
    throw new CliError(2, `error: \`serve\` takes no arguments, but got ${JSON.stringify(word)}`)
  const call = `${program.name()} ${word} ...`
  throw new CliError(2, `error: the command ${word} comes first, then its flags: ${call}`)
}

function reportError(error: unknown, terminal: Terminal): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2
  if (error instanceof CliError) {
    terminal.err(error.message)
    return error.exitCode
  }
  terminal.err(`error: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`)
  return 1
}

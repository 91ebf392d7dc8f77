import type { ChildProcess } from 'node:child_process'
import { reaches } from '../../conform/application/pulse.ts'
import type { ConformConfig } from '../../conform/index.ts'
import { plainLine, plainLines } from '../../conform/report/lines.ts'
import { maskedUrl } from '../../domain/journal/masking.ts'
import { clientVariables } from '../../pages/client-commands.ts'
import { pause } from '../../time/timers.ts'
import { stopwatch } from '../../time/wall.ts'
import { CliError } from '../cli-error.ts'
import type { ControlAccess } from '../control-call.ts'
import { cannotRun, started, startGuard } from '../exec/child-command.ts'
import { createLog } from '../log/log.ts'
import { readServeOptions, withSettings } from '../serve/options.ts'
import { placeOf, start } from '../serve/start.ts'
import type { Environment, Terminal } from '../terminal.ts'

/** How long an application may take until it accepts connections. */
const startMs = 60_000
const lookEveryMs = 100
/** How long it may take to end. */
const endMs = 4_000
/** Of what it writes, so much is kept to explain why it does not run. */
const keptCharacters = 4_000
/** So long is waited for what it wrote at its end. */
const lastWordsMs = 100

/** An application that runs for the length of a check, in a process group of its own. */
class ApplicationProcess {
  readonly #command: readonly string[]
  readonly #child: ChildProcess
  readonly #ended: Promise<void>
  #said = ''
  #end: string | null = null
  /** It never ran. */
  #notRun: CliError | null = null
  readonly #onExit = () => this.#kill('SIGKILL')
  readonly #guard = startGuard()

  constructor(command: readonly string[], env: Environment) {
    const [program = '', ...args] = command
    this.#command = command
    this.#child = started(program, args, {
      env: { ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: process.platform !== 'win32',
    })
    for (const stream of [this.#child.stdout, this.#child.stderr])
      stream?.setEncoding('utf8').on('data', (text: string) => {
        this.#said = `${this.#said}${text}`.slice(-keptCharacters)
      })
    this.#ended = new Promise((resolve) => {
      const end = (why: string) => {
        this.#end ??= why
        resolve()
      }
      this.#child.on('error', (error) => {
        this.#notRun = cannotRun(program, error)
        end('could not be run')
      })
      // Once its output was read to the end, which something that it has started may hold open.
      this.#child.on('close', (code, signal) => end(`ended with ${signal ?? code}`))
      this.#child.on('exit', (code, signal) =>
        setTimeout(end, lastWordsMs, `ended with ${signal ?? code}`).unref(),
      )
    })
    process.on('exit', this.#onExit)
    if (this.#child.pid !== undefined) this.#guard.watch(-this.#child.pid)
  }

  /** Waits until it accepts connections where it takes webhooks. @throws GiveUp if it ends before, or takes too long */
  async accepting(url: string, signal: AbortSignal): Promise<void> {
    const watch = stopwatch()
    while (!(await reaches(url))) {
      signal.throwIfAborted()
      this.#throwIfEnded(`before anything listened at ${maskedUrl(url)}`)
      if (stopwatch() - watch > startMs)
        throw this.#failed(`runs, but nothing listens at ${maskedUrl(url)} after ${startMs / 1_000} s`)
      await pause(lookEveryMs)
    }
    // Somebody else may have been quicker to listen there.
    await pause(lookEveryMs)
    this.#throwIfEnded(`although something listens at ${maskedUrl(url)}`)
  }

  /** What is to be said of one that ended by itself, with what it wrote last; null while it runs. */
  get obituary(): string | null {
    return this.#end === null ? null : this.#told(`${this.#end} during the test`)
  }

  /** Ends it and what it has started, in the end by force. */
  async end(): Promise<void> {
    this.#kill('SIGTERM')
    const force = setTimeout(() => this.#kill('SIGKILL'), endMs)
    await this.#ended
    clearTimeout(force)
    // What it has started may have outlived it.
    this.#kill('SIGKILL')
    process.off('exit', this.#onExit)
    this.#guard.dismiss()
  }

  #kill(signal: NodeJS.Signals): void {
    const { pid } = this.#child
    if (pid === undefined) return
    try {
      process.kill(process.platform === 'win32' ? pid : -pid, signal)
    } catch {
      // There is nobody left.
    }
  }

  /** @throws GiveUp */
  #throwIfEnded(when: string): void {
    if (this.#notRun !== null) throw this.#notRun
    if (this.#end !== null) throw this.#failed(`${this.#end} ${when}`)
  }

  #failed(what: string): CliError {
    return new CliError(2, `error: ${this.#told(what)}`)
  }

  #told(what: string): string {
    const said = plainLines(this.#said.trim()).join('\n')
    const command = plainLine(JSON.stringify(this.#command.join(' ')))
    return `${command} ${what}${said === '' ? '' : `. It wrote:\n${said}`}`
  }
}

/** Verdicts would be about what runs already. @throws GiveUp if anything accepts connections there */
async function expectNobodyAt(url: string): Promise<void> {
  if (await reaches(url))
    throw new CliError(
      2,
      `error: something already listens at ${maskedUrl(url)}, and \`conform\` would test that instead of the command; stop it first, or leave the command out to test it`,
    )
}

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
    throw new CliError(
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

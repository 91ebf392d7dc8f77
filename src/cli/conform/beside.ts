import type { ChildProcess } from 'node:child_process'
import { reaches } from '../../conform/application/pulse.ts'
import type { ConformConfig } from '../../conform/index.ts'
import { plainLine, plainLines } from '../../conform/report/lines.ts'
import { maskedUrl } from '../../domain/journal/masking.ts'
import { clientVariables } from '../../pages/client-commands.ts'
import { pause } from '../../time/timers.ts'
import { stopwatch } from '../../time/wall.ts'
import { CliError } from '../cli-error.ts'
import type { ControlAccess } from '../emulator-url.ts'
import { cannotRun, started, startGuard } from '../exec/child-command.ts'
import { createLog } from '../log/log.ts'
import { readServeOptions, withSettings } from '../serve/options.ts'
import { placeOf, start } from '../serve/start.ts'
import type { Environment, Terminal } from '../terminal.ts'

/** How long an application may take to accept connections. */
const startMs = 60_000
const lookEveryMs = 100
/** How long the application may take to end after a signal. */
const endMs = 4_000
/** Maximum length of the application's output that is kept, to explain why it failed. */
const keptCharacters = 4_000
/** How long to wait for the last output of an application that has ended. */
const lastWordsMs = 100

/** An application that runs during a check, in its own process group. */
class ApplicationProcess {
  readonly #command: readonly string[]
  readonly #child: ChildProcess
  readonly #ended: Promise<void>
  #said = ''
  #end: string | null = null
  /** The error if the application could not be started. */
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
      // `close` comes once its output has ended; a process that it started may keep the output open.
      this.#child.on('close', (code, signal) => end(`ended with ${signal ?? code}`))
      this.#child.on('exit', (code, signal) =>
        setTimeout(end, lastWordsMs, `ended with ${signal ?? code}`).unref(),
      )
    })
    process.on('exit', this.#onExit)
    if (this.#child.pid !== undefined) this.#guard.watch(-this.#child.pid)
  }

  /** Waits until the application accepts connections at its webhook URL.
   *  @throws CliError if it ends first, or takes too long */
  async accepting(url: string, signal: AbortSignal): Promise<void> {
    const watch = stopwatch()
    while (!(await reaches(url))) {
      signal.throwIfAborted()
      this.#throwIfEnded(`before anything listened at ${maskedUrl(url)}`)
      if (stopwatch() - watch > startMs)
        throw this.#failed(`runs, but nothing listens at ${maskedUrl(url)} after ${startMs / 1_000} s`)
      await pause(lookEveryMs)
    }
    // Another process may have taken the port just before.
    await pause(lookEveryMs)
    this.#throwIfEnded(`although something listens at ${maskedUrl(url)}`)
  }

  /** Why the application ended without being told to, with its last output; null while it runs. */
  get obituary(): string | null {
    return this.#end === null ? null : this.#withOutput(`${this.#end} during the test`)
  }

  /** Ends the application and the processes it started, after a while with SIGKILL. */
  async end(): Promise<void> {
    this.#kill('SIGTERM')
    const force = setTimeout(() => this.#kill('SIGKILL'), endMs)
    await this.#ended
    clearTimeout(force)
    // Ends the remaining processes that the application has started.
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
      // All processes of the group have ended.
    }
  }

  /** @throws CliError */
  #throwIfEnded(when: string): void {
    if (this.#notRun !== null) throw this.#notRun
    if (this.#end !== null) throw this.#failed(`${this.#end} ${when}`)
  }

  #failed(what: string): CliError {
    return new CliError(2, `error: ${this.#withOutput(what)}`)
  }

  #withOutput(what: string): string {
    const said = plainLines(this.#said.trim()).join('\n')
    const command = plainLine(JSON.stringify(this.#command.join(' ')))
    return `${command} ${what}${said === '' ? '' : `. It wrote:\n${said}`}`
  }
}

/** Refuses to start if a server already accepts connections there: the check would test that server.
 *  @throws CliError */
async function expectNobodyAt(url: string): Promise<void> {
  if (await reaches(url))
    throw new CliError(
      2,
      `error: something already listens at ${maskedUrl(url)}, and \`conform\` would test that instead of the command; stop it first, or leave the command out to test it`,
    )
}

/** Runs an application beside its own emulator, with the environment variables of `exec`, and ends both after use.
 *  @param use called once the application accepts connections at its webhook URL
 *  @returns the result of `use`, and why the application ended if it ended early
 *  @throws CliError if the emulator or the application cannot be started */
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

/** Environment variables about the client that are passed on. A database, a clock or settings belong to another
 *  emulator, which this run must not touch. */
const clientVariableNames = [
  ...['EMULATOR_CLIENT_ID', 'EMULATOR_API_SECRET', 'EMULATOR_ACCESS_TOKEN'],
  ...['EMULATOR_WEBHOOK_SECRET', 'EMULATOR_WEBHOOK_URL', 'EMULATOR_WEBHOOK_ALLOW'],
]

const ofTheClient = (env: Environment): Environment =>
  Object.fromEntries(clientVariableNames.map((name) => [name, env[name]]))

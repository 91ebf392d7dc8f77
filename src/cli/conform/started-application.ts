import type { ChildProcess } from 'node:child_process'
import type { ApplicationProcess } from '../../conform/application/process.ts'
import { reaches } from '../../conform/application/pulse.ts'
import { plainLine, plainLines } from '../../conform/report/lines.ts'
import { maskedUrl } from '../../domain/journal/masking.ts'
import { pause } from '../../time/timers.ts'
import { stopwatch } from '../../time/wall.ts'
import { CliError } from '../cli-error.ts'
import { cannotRun, started, startGuard } from '../exec/child-command.ts'
import type { Environment } from '../terminal.ts'

/** How long an application may take to accept connections, unless it may take longer. */
const usualStartMs = 60_000
const lookEveryMs = 100
/** How long the application may take to end after a signal. */
const endMs = 4_000
/** Maximum length of the output that explains why an application failed. */
const explainingCharacters = 4_000
/** Maximum length of the output that test cases can read. */
const readableCharacters = 1_000_000
/** How long to wait for the last output of an application that has ended. */
const lastWordsMs = 100

/** How to start an application, and where it then accepts connections. */
export interface ApplicationStart {
  readonly command: readonly string[]
  readonly env: Environment
  /** The working directory; default: that of this program. */
  readonly cwd?: string | undefined
  /** The application counts as started once it accepts connections there. */
  readonly webhookUrl: string
  /** How long it may take to accept connections; default: a minute. */
  readonly startMs?: number | undefined
  readonly signal: AbortSignal
}

/** Thrown if an application ends before it accepts connections, or takes too long. */
export class NotStarted extends CliError {}

/** An application that runs during a test, in its own process group. */
export class StartedApplication implements ApplicationProcess {
  readonly #start: ApplicationStart
  readonly #output = new Tail(readableCharacters)
  #life: ProcessLife
  #isOver = false

  /** Runs the command. The application may not accept connections yet: see `accepting`. */
  constructor(start: ApplicationStart) {
    this.#start = start
    this.#life = this.#begin()
  }

  /** Waits until the application accepts connections at its webhook URL.
   *  @throws NotStarted */
  async accepting(): Promise<void> {
    const { webhookUrl, signal, startMs = usualStartMs } = this.#start
    const place = maskedUrl(webhookUrl)
    const watch = stopwatch()
    while (!(await reaches(webhookUrl))) {
      signal.throwIfAborted()
      this.#throwIfEnded(`before anything listened at ${place}`)
      if (stopwatch() - watch > startMs)
        throw this.#failed(`runs, but nothing listens at ${place} after ${startMs / 1_000} s`)
      await pause(lookEveryMs)
    }
    // Another process may have taken the port just before.
    await pause(lookEveryMs)
    this.#throwIfEnded(`although something listens at ${place}`)
  }

  /** Kills the application's process group, and runs the same command again.
   *  @throws Error if it does not end, or does not start again */
  async restart(): Promise<void> {
    const { webhookUrl, signal } = this.#start
    await this.#life.kill()
    const watch = stopwatch()
    while (await reaches(webhookUrl)) {
      if (stopwatch() - watch > endMs)
        throw new Error(
          `something still listens at ${maskedUrl(webhookUrl)} after the application was killed: has it left its process group?`,
        )
      await pause(lookEveryMs)
    }
    signal.throwIfAborted()
    if (this.#isOver) throw new Error('the application was stopped for good')
    this.#life = this.#begin()
    try {
      await this.accepting()
    } catch (error) {
      if (!(error instanceof NotStarted)) throw error
      throw new Error(`killed, and started again: ${error.message.replace(/^error: /, '')}`)
    }
  }

  output(): string {
    return this.#output.text
  }

  /** Why the application ended without being told to, with its last output; null while it runs. */
  get obituary(): string | null {
    const { end, wasKilled } = this.#life
    return end === null || wasKilled ? null : this.#withOutput(`${end} during the test`)
  }

  /** Ends the application and the processes it started, after a while with SIGKILL. */
  async end(): Promise<void> {
    this.#isOver = true
    await this.#life.stop()
  }

  #begin(): ProcessLife {
    return new ProcessLife(this.#start, (text) => this.#output.add(text))
  }

  /** @throws NotStarted */
  #throwIfEnded(when: string): void {
    const { end, notRun } = this.#life
    if (notRun !== null) throw new NotStarted(notRun.exitCode, notRun.message)
    if (end !== null) throw this.#failed(`${end} ${when}`)
  }

  #failed(what: string): NotStarted {
    return new NotStarted(2, `error: ${this.#withOutput(what)}`)
  }

  #withOutput(what: string): string {
    const said = plainLines(this.#life.output.trim()).join('\n')
    const command = plainLine(JSON.stringify(this.#start.command.join(' ')))
    return `${command} ${what}${said === '' ? '' : `. It wrote:\n${said}`}`
  }
}

/** One process group of an application, from its start to its end. */
class ProcessLife {
  readonly #child: ChildProcess
  readonly #ended: Promise<void>
  readonly #output = new Tail(explainingCharacters)
  #end: string | null = null
  #wasKilled = false
  #notRun: CliError | null = null
  readonly #onExit = () => this.#signal('SIGKILL')
  readonly #guard = startGuard()

  /** @param onOutput receives what the processes write */
  constructor({ command, env, cwd }: ApplicationStart, onOutput: (text: string) => void) {
    const [program = '', ...args] = command
    this.#child = started(program, args, {
      env: { ...env, ...(cwd !== undefined && { PWD: cwd }) },
      cwd,
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: process.platform !== 'win32',
    })
    for (const stream of [this.#child.stdout, this.#child.stderr])
      stream?.setEncoding('utf8').on('data', (text: string) => {
        this.#output.add(text)
        onOutput(text)
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
    // Before the temporary folder is removed in which the application may run.
    process.prependListener('exit', this.#onExit)
    if (this.#child.pid !== undefined) this.#guard.watch(-this.#child.pid)
  }

  /** How it ended; null while it runs. */
  get end(): string | null {
    return this.#end
  }

  /** The error if the command could not be run. */
  get notRun(): CliError | null {
    return this.#notRun
  }

  /** The last output. */
  get output(): string {
    return this.#output.text
  }

  /** Whether `kill` has ended it. */
  get wasKilled(): boolean {
    return this.#wasKilled
  }

  /** Kills all processes at once. */
  async kill(): Promise<void> {
    this.#wasKilled = this.#end === null
    this.#signal('SIGKILL')
    await this.#ended
    this.#forget()
  }

  /** Asks the processes to end, and kills them after a while. */
  async stop(): Promise<void> {
    this.#signal('SIGTERM')
    const force = setTimeout(() => this.#signal('SIGKILL'), endMs)
    await this.#ended
    clearTimeout(force)
    // Ends the remaining processes that the application has started.
    this.#signal('SIGKILL')
    this.#forget()
  }

  #forget(): void {
    process.off('exit', this.#onExit)
    this.#guard.dismiss()
  }

  #signal(signal: NodeJS.Signals): void {
    const { pid } = this.#child
    if (pid === undefined) return
    try {
      process.kill(process.platform === 'win32' ? pid : -pid, signal)
    } catch {
      // All processes of the group have ended.
    }
  }
}

/** Keeps the last characters of an output. */
class Tail {
  readonly #most: number
  #chunks: string[] = []
  #length = 0

  constructor(most: number) {
    this.#most = most
  }

  add(text: string): void {
    this.#chunks.push(text)
    this.#length += text.length
    // Joined only now and then, because an application may write many short lines.
    if (this.#length > 2 * this.#most) this.#keep(this.text)
  }

  get text(): string {
    return this.#chunks.join('').slice(-this.#most)
  }

  #keep(text: string): void {
    this.#chunks = [text]
    this.#length = text.length
  }
}

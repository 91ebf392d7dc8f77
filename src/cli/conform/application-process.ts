import type { ChildProcess } from 'node:child_process'
import { reaches } from '../../conform/application/pulse.ts'
import { plainLine, plainLines } from '../../conform/report/lines.ts'
import { maskedUrl } from '../../domain/secrets.ts'
import { pause } from '../../time/timers.ts'
import { stopwatch } from '../../time/wall.ts'
import { cannotRun, started } from '../exec/child-command.ts'
import { startGuard } from '../exec/orphan-guard.ts'
import { GiveUp } from '../give-up.ts'
import type { Environment } from '../terminal.ts'

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
export class ApplicationProcess {
  readonly #command: readonly string[]
  readonly #child: ChildProcess
  readonly #ended: Promise<void>
  #said = ''
  #end: string | null = null
  /** It never ran. */
  #notRun: GiveUp | null = null
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

  #failed(what: string): GiveUp {
    return new GiveUp(2, `error: ${this.#told(what)}`)
  }

  #told(what: string): string {
    const said = plainLines(this.#said.trim()).join('\n')
    const command = plainLine(JSON.stringify(this.#command.join(' ')))
    return `${command} ${what}${said === '' ? '' : `. It wrote:\n${said}`}`
  }
}

/** Verdicts would be about what runs already. @throws GiveUp if anything accepts connections there */
export async function expectNobodyAt(url: string): Promise<void> {
  if (await reaches(url))
    throw new GiveUp(
      2,
      `error: something already listens at ${maskedUrl(url)}, and \`conform\` would test that instead of the command; stop it first, or leave the command out to test it`,
    )
}

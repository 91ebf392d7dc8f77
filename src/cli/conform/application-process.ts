import { type ChildProcess, spawn } from 'node:child_process'
import { connect } from 'node:net'
import { pause } from '../../time/timers.ts'
import { stopwatch } from '../../time/wall.ts'
import { GiveUp } from '../give-up.ts'
import type { Environment } from '../terminal.ts'

/** How long an application may take until it accepts connections. */
const startMs = 60_000
const lookEveryMs = 100
/** How long it may take to end. */
const endMs = 4_000
/** Of what it writes, so much is kept to explain why it does not run. */
const keptCharacters = 4_000

/** An application that runs for the length of a check, in a process group of its own. */
export class ApplicationProcess {
  readonly #command: readonly string[]
  readonly #child: ChildProcess
  readonly #ended: Promise<void>
  #said = ''
  #end: string | null = null
  readonly #onExit = () => this.#kill('SIGKILL')

  constructor(command: readonly string[], env: Environment) {
    const [program = '', ...args] = command
    this.#command = command
    this.#child = spawn(program, args, {
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
      this.#child.on('error', ({ message }) => end(`could not be run: ${message}`))
      this.#child.on('exit', (code, signal) => end(`ended with ${signal ?? code}`))
    })
    process.on('exit', this.#onExit)
  }

  /** Waits until it accepts connections where it takes webhooks. @throws GiveUp if it ends before, or takes too long */
  async accepting(url: string, signal: AbortSignal): Promise<void> {
    const watch = stopwatch()
    while (!(await accepts(url))) {
      signal.throwIfAborted()
      if (this.#end !== null) throw this.#failed(`${this.#end} before anything listened at ${url}`)
      if (stopwatch() - watch > startMs)
        throw this.#failed(`runs, but nothing listens at ${url} after ${startMs / 1_000} s`)
      await pause(lookEveryMs)
    }
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

  #failed(what: string): GiveUp {
    const said = this.#said.trim()
    const command = JSON.stringify(this.#command.join(' '))
    return new GiveUp(2, `error: ${command} ${what}${said === '' ? '' : `. It wrote:\n${said}`}`)
  }
}

function accepts(url: string): Promise<boolean> {
  const { hostname, port, protocol } = new URL(url)
  const place = {
    host: hostname.replaceAll(/[[\]]/g, ''),
    port: Number(port) || (protocol === 'https:' ? 443 : 80),
    timeout: 1_000,
  }
  return new Promise((resolve) => {
    const socket = connect(place)
    const end = (accepted: boolean) => {
      socket.destroy()
      resolve(accepted)
    }
    socket.on('connect', () => end(true))
    socket.on('timeout', () => end(false))
    socket.on('error', () => end(false))
  })
}

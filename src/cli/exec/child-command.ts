import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process'
import { constants } from 'node:os'
import { GiveUp } from '../give-up.ts'
import { inForeground } from '../keys/foreground.ts'

const passedOn = ['SIGINT', 'SIGQUIT', 'SIGTERM', 'SIGHUP'] as const
type PassedOn = (typeof passedOn)[number]

/** How long a command that is to end with us may take. */
const lastMs = 4_000

/** A command that runs on our standard streams. From the beginning on it gets the signals that we get, and it does not
 *  outlive us, unless we are killed outright. */
export class ChildCommand {
  readonly #command: readonly string[]
  readonly #listeners: (readonly [PassedOn, () => void])[]
  readonly #onExit = () => void this.#child?.kill('SIGTERM')
  #child: ChildProcess | null = null
  /** Came before there was anybody to pass it on to. */
  #early: PassedOn | null = null

  constructor(command: readonly string[]) {
    this.#command = command
    this.#listeners = passedOn.map((signal) => [signal, () => this.#pass(signal)] as const)
    for (const [signal, listener] of this.#listeners) process.on(signal, listener)
    process.on('exit', this.#onExit)
  }

  /** Runs it to its end.
   *  @returns its exit code, as a shell would tell it
   *  @throws GiveUp if it cannot be run */
  run(env: NodeJS.ProcessEnv): Promise<number> {
    if (this.#early !== null) return Promise.resolve(codeOf(this.#early))
    const [program = '', ...args] = this.#command
    return new Promise((resolve, reject) => {
      const child = started(program, args, { stdio: 'inherit', env })
      this.#child = child
      child.on('error', (error) => reject(cannotRun(program, error)))
      child.on('exit', (code, signal) => {
        this.#child = null
        resolve(signal === null ? (code ?? 0) : codeOf(signal))
      })
    })
  }

  /** Ends it, in the end by force. */
  end(): void {
    this.#pass('SIGTERM')
    setTimeout(() => this.#child?.kill('SIGKILL'), lastMs).unref()
  }

  /** Passes nothing on any more. */
  dispose(): void {
    for (const [signal, listener] of this.#listeners) process.off(signal, listener)
    process.off('exit', this.#onExit)
  }

  #pass(signal: PassedOn): void {
    if (this.#child === null) this.#early ??= signal
    else if (!cameByKey(signal)) this.#child.kill(signal)
  }
}

/** Whether the terminal has sent a signal, and so to the command as well: most count a second Ctrl-C as impatience. What
 *  somebody else sends to a job in the foreground cannot be told from it. */
const cameByKey = (signal: PassedOn): boolean =>
  (signal === 'SIGINT' || signal === 'SIGQUIT') && inForeground()

const codeOf = (signal: NodeJS.Signals): number => 128 + constants.signals[signal]

/** Starts a program. @throws GiveUp where Node refuses without asking the system: a program without a name */
export function started(program: string, args: readonly string[], options: SpawnOptions): ChildProcess {
  try {
    return spawn(program, args, options)
  } catch (error) {
    throw error instanceof Error ? cannotRun(program, error) : error
  }
}

/** What is told of a program that could not be started, with the exit code that a shell would give. */
export function cannotRun(program: string, error: Error): GiveUp {
  const name = JSON.stringify(program)
  const code = 'code' in error ? error.code : ''
  if (code === 'ENOENT' || program === '')
    return new GiveUp(
      127,
      `error: there is no command ${name}; what follows -- is run as it stands, without a shell`,
    )
  return new GiveUp(126, `error: ${name} cannot be run: ${error.message}`)
}

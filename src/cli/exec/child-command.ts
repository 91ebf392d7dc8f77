import { type ChildProcess, type SpawnOptions, type StdioOptions, spawn } from 'node:child_process'
import { constants } from 'node:os'
import { isatty } from 'node:tty'
import { pause } from '../../time/timers.ts'
import { stopwatch } from '../../time/wall.ts'
import { CliError } from '../cli-error.ts'
import { inForeground } from '../keys/tty-keyboard.ts'

/** Reads a process id, then waits for a line; its standard input ends without one when this program is gone. */
const script = `read -r target && [ -n "$target" ] || exit
read -r line && exit
kill -s TERM -- "$target" || exit
for second in 1 2 3 4; do sleep 1; kill -s 0 -- "$target" || exit; done
kill -s KILL -- "$target"`

/** Kills a process or process group after this program has ended, even by SIGKILL. */
interface OrphanGuard {
  /** @param target the pid, or the negative id of a process group */
  watch(target: number): void
  /** Ends the guard process. */
  dismiss(): void
}

/** Starts a guard before the process it will watch. It is a shell in its own session, which notices the end of this
 *  program because its standard input closes. Without a shell, and on Windows, it does nothing. */
export function startGuard(): OrphanGuard {
  if (process.platform === 'win32') return { watch: () => {}, dismiss: () => {} }
  const shell = spawn('/bin/sh', ['-c', script], { stdio: ['pipe', 'ignore', 'ignore'], detached: true })
  // Without a shell there is no guard: if SIGKILL ends this program, the command goes on.
  shell.on('error', () => {})
  shell.stdin.on('error', () => {})
  shell.unref()
  return {
    watch: (target) => void shell.stdin.write(`${target}\n`),
    dismiss: () => void shell.stdin.end('\n'),
  }
}

const passedOn = ['SIGINT', 'SIGQUIT', 'SIGTERM', 'SIGHUP', 'SIGUSR2'] as const
type PassedOn = (typeof passedOn)[number]

/** How long the command may take to end before it gets SIGKILL. */
const lastMs = 4_000
const lookEveryMs = 50

/** A command that uses our standard streams, or whose output is captured. It receives the signals that we receive,
 *  and ends with this program. After a signal its whole process group ends too. */
export class ChildCommand {
  readonly #command: readonly string[]
  readonly #listeners: (readonly [PassedOn, () => void])[]
  readonly #onExit = () => this.#kill('SIGTERM')
  #child: ChildProcess | null = null
  /** A new group cannot read from the terminal or receive Ctrl-C, so a command at a terminal stays in our group. */
  readonly #hasOwnGroup: boolean
  readonly #onOutput: ((chunk: Buffer) => void) | undefined
  /** The first signal that this program has received. */
  #signal: PassedOn | null = null

  /** @param onOutput receives the command's output; the command then has no input, and its process group ends with
   *    it */
  constructor(command: readonly string[], onOutput?: (chunk: Buffer) => void) {
    this.#command = command
    this.#onOutput = onOutput
    const isApart = onOutput !== undefined || (!isatty(0) && !inForeground())
    this.#hasOwnGroup = process.platform !== 'win32' && isApart
    this.#listeners = passedOn.map((signal) => [signal, () => this.#pass(signal)] as const)
    for (const [signal, listener] of this.#listeners) process.on(signal, listener)
    process.on('exit', this.#onExit)
  }

  /** Runs the command.
   *  @returns its exit code, as a shell reports it
   *  @throws CliError if it cannot be run */
  async run(env: NodeJS.ProcessEnv): Promise<number> {
    if (this.#signal !== null) return codeOf(this.#signal)
    const [program = '', ...args] = this.#command
    const guard = startGuard()
    try {
      const stdio: StdioOptions = this.#onOutput === undefined ? 'inherit' : ['ignore', 'pipe', 'pipe']
      const child = started(program, args, { stdio, env, detached: this.#hasOwnGroup })
      this.#child = child
      for (const stream of [child.stdout, child.stderr]) stream?.on('data', this.#onOutput ?? (() => {}))
      if (this.#target !== null) guard.watch(this.#target)
      const code = await new Promise<number>((resolve, reject) => {
        child.on('error', (error) => reject(cannotRun(program, error)))
        child.on('exit', (exitCode, signal) => resolve(signal === null ? (exitCode ?? 0) : codeOf(signal)))
      })
      if (this.#signal !== null || this.#onOutput !== undefined) await this.#endGroup()
      return code
    } finally {
      this.#child = null
      guard.dismiss()
    }
  }

  /** Asks the command to end, and sends SIGKILL after a while. */
  end(): void {
    this.#pass('SIGTERM')
    setTimeout(() => this.#kill('SIGKILL'), lastMs).unref()
  }

  /** Stops passing on signals. */
  dispose(): void {
    for (const [signal, listener] of this.#listeners) process.off(signal, listener)
    process.off('exit', this.#onExit)
  }

  #pass(signal: PassedOn): void {
    this.#signal ??= signal
    if (this.#child === null) return
    // Like a terminal, which sends Ctrl-C to the whole job: a shell waits for the program that it runs.
    if (this.#hasOwnGroup && isOfKey(signal)) this.#kill(signal)
    else if (this.#hasOwnGroup || !cameByKey(signal)) this.#child.kill(signal)
  }

  /** Ends the processes that the command has started. */
  async #endGroup(): Promise<void> {
    if (!this.#hasOwnGroup) return
    this.#kill('SIGTERM')
    const watch = stopwatch()
    while (this.#kill(0) && stopwatch() - watch < lastMs) await pause(lookEveryMs)
    this.#kill('SIGKILL')
  }

  /** The process group of the command, or its pid if it shares ours. */
  get #target(): number | null {
    const pid = this.#child?.pid
    return pid === undefined ? null : this.#hasOwnGroup ? -pid : pid
  }

  /** @returns whether there was a process to receive the signal */
  #kill(signal: NodeJS.Signals | 0): boolean {
    const target = this.#target
    try {
      return target !== null && process.kill(target, signal)
    } catch {
      return false
    }
  }
}

/** Whether the terminal sent the signal, and so also sent it to the command: many programs treat a second Ctrl-C as
 *  urgent. A signal that another process sends to the foreground job looks the same. */
const cameByKey = (signal: PassedOn): boolean => isOfKey(signal) && inForeground()

/** Whether a key sends this signal: Ctrl-C or Ctrl-\. */
const isOfKey = (signal: PassedOn): boolean => signal === 'SIGINT' || signal === 'SIGQUIT'

const codeOf = (signal: NodeJS.Signals): number => 128 + constants.signals[signal]

/** Starts a program.
 *  @throws CliError if Node itself refuses it, for example an empty name */
export function started(program: string, args: readonly string[], options: SpawnOptions): ChildProcess {
  try {
    return spawn(program, args, options)
  } catch (error) {
    throw error instanceof Error ? cannotRun(program, error) : error
  }
}

/** The error for a program that cannot be started, with the exit code of shells. */
export function cannotRun(program: string, error: Error): CliError {
  const name = JSON.stringify(program)
  const code = 'code' in error ? error.code : ''
  if (code === 'ENOENT' || program === '')
    return new CliError(
      127,
      `error: command not found: ${name}; the words after \`--\` are run without a shell`,
    )
  return new CliError(126, `error: cannot run ${name}: ${error.message}`)
}

import { type ChildProcess, type SpawnOptions, type StdioOptions, spawn } from 'node:child_process'
import { constants } from 'node:os'
import { isatty } from 'node:tty'
import { pause } from '../../time/timers.ts'
import { stopwatch } from '../../time/wall.ts'
import { CliError } from '../cli-error.ts'
import { inForeground } from '../keys/tty-keyboard.ts'

/** Reads what to end, then waits for a line; without one, its standard input was closed by the end of this program. */
const script = `read -r target && [ -n "$target" ] || exit
read -r line && exit
kill -s TERM -- "$target" || exit
for second in 1 2 3 4; do sleep 1; kill -s 0 -- "$target" || exit; done
kill -s KILL -- "$target"`

/** Ends a process or a process group once this program is gone, even if SIGKILL ended it. */
interface OrphanGuard {
  /** @param target a process id, or that of a group with a minus in front */
  watch(target: number): void
  /** Takes the guard away. */
  dismiss(): void
}

/** Starts a guard, which has to be there before what it watches: a shell of its own session, which notices our end
 *  because the system closes its standard input then. It does nothing on Windows and where there is no shell. */
export function startGuard(): OrphanGuard {
  if (process.platform === 'win32') return { watch: () => {}, dismiss: () => {} }
  const shell = spawn('/bin/sh', ['-c', script], { stdio: ['pipe', 'ignore', 'ignore'], detached: true })
  // Without a shell the command runs all the same; only SIGKILL can then leave it behind.
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

/** Time until SIGKILL. */
const lastMs = 4_000
const lookEveryMs = 50

/** A command that runs on our standard streams, or hands its output on. From the beginning on it gets the signals that we get, and it does not
 *  outlive us. After a signal neither does what it has started, as far as that is in its process group. */
export class ChildCommand {
  readonly #command: readonly string[]
  readonly #listeners: (readonly [PassedOn, () => void])[]
  readonly #onExit = () => this.#kill('SIGTERM')
  #child: ChildProcess | null = null
  /** A new group has no terminal to read from, and no Ctrl-C, so a command at a terminal stays in ours. */
  readonly #hasOwnGroup: boolean
  readonly #onOutput: ((chunk: Buffer) => void) | undefined
  /** The first signal that came. */
  #signal: PassedOn | null = null

  /** @param onOutput takes what it writes; then it reads nothing, and leaves nothing behind that it has started */
  constructor(command: readonly string[], onOutput?: (chunk: Buffer) => void) {
    this.#command = command
    this.#onOutput = onOutput
    const isApart = onOutput !== undefined || (!isatty(0) && !inForeground())
    this.#hasOwnGroup = process.platform !== 'win32' && isApart
    this.#listeners = passedOn.map((signal) => [signal, () => this.#pass(signal)] as const)
    for (const [signal, listener] of this.#listeners) process.on(signal, listener)
    process.on('exit', this.#onExit)
  }

  /** Runs it to its end.
   *  @returns its exit code, as a shell would tell it
   *  @throws GiveUp if it cannot be run */
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

  /** Ends it, in the end by force. */
  end(): void {
    this.#pass('SIGTERM')
    setTimeout(() => this.#kill('SIGKILL'), lastMs).unref()
  }

  /** Passes nothing on any more. */
  dispose(): void {
    for (const [signal, listener] of this.#listeners) process.off(signal, listener)
    process.off('exit', this.#onExit)
  }

  #pass(signal: PassedOn): void {
    this.#signal ??= signal
    if (this.#child === null) return
    // As a terminal would, which sends Ctrl-C to a whole job: a shell waits for the program that it runs.
    if (this.#hasOwnGroup && isOfKey(signal)) this.#kill(signal)
    else if (this.#hasOwnGroup || !cameByKey(signal)) this.#child.kill(signal)
  }

  /** Ends what the command has left behind. */
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

  /** @returns whether anything was there to get it */
  #kill(signal: NodeJS.Signals | 0): boolean {
    const target = this.#target
    try {
      return target !== null && process.kill(target, signal)
    } catch {
      return false
    }
  }
}

/** Whether the terminal has sent a signal, and so to the command as well: most count a second Ctrl-C as impatience. What
 *  somebody else sends to a job in the foreground cannot be told from it. */
const cameByKey = (signal: PassedOn): boolean => isOfKey(signal) && inForeground()

/** Ctrl-C and Ctrl-\. */
const isOfKey = (signal: PassedOn): boolean => signal === 'SIGINT' || signal === 'SIGQUIT'

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

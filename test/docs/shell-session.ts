import { type ChildProcess, spawn } from 'node:child_process'
import { onTestFinished } from 'vitest'

const patienceMs = 25_000

/** A process whose output is read as it comes. */
export class Spoken {
  readonly #child: ChildProcess
  readonly #closed: Promise<void>
  readonly #waiting = new Set<() => void>()
  output = ''

  constructor(command: string, args: readonly string[], how: { cwd: string; env: NodeJS.ProcessEnv }) {
    this.#child = spawn(command, args, how)
    this.#closed = new Promise((resolve) => this.#child.once('close', () => resolve()))
    for (const stream of [this.#child.stdout, this.#child.stderr]) {
      stream?.setEncoding('utf8').on('data', (text: string) => {
        this.output += text
        for (const look of this.#waiting) look()
      })
    }
    onTestFinished(() => this.stop())
  }

  write(text: string): void {
    this.#child.stdin?.write(text)
  }

  /** Resolves once the output is as it should be; rejects with the output if the process ends before, or if it takes
   *  too long. */
  until(right: (output: string) => boolean): Promise<void> {
    return new Promise((resolve, reject) => {
      const tooLate = setTimeout(
        () => reject(new Error(`not in ${patienceMs} ms:\n${this.output}`)),
        patienceMs,
      )
      const look = () => {
        if (!right(this.output)) return
        this.#waiting.delete(look)
        clearTimeout(tooLate)
        resolve()
      }
      this.#waiting.add(look)
      this.#closed.then(() => reject(new Error(`it ended:\n${this.output}`)))
      look()
    })
  }

  async stop(): Promise<void> {
    this.#child.kill('SIGTERM')
    await this.#closed
  }
}

const end = '--- end of block'

/** One shell in which the blocks of a guide run one after the other, so that they share variables and functions. */
export class ShellSession {
  readonly #shell: Spoken
  #blocks = 0

  constructor(how: { cwd: string; env: NodeJS.ProcessEnv }) {
    this.#shell = new Spoken('bash', ['--noprofile', '--norc'], how)
    this.#shell.write(`set -E -o pipefail; trap 'failed=$?' ERR\n`)
  }

  /** Runs a block to its end.
   *  @returns what it printed
   *  @throws if any of its commands failed, in a function or a pipe too */
  async run(block: string): Promise<string> {
    this.#blocks += 1
    const mark = `${end} ${this.#blocks}`
    const from = this.#shell.output.length
    this.#shell.write(`failed=0\n${block}\nprintf '\\n%s: %s\\n' '${mark}' "$failed"\n`)
    await this.#shell.until((output) => /: \d+\n/.test(output.slice(from).split(mark)[1] ?? ''))
    const [printed = '', code = ''] = this.#shell.output.slice(from).split(mark)
    if (!code.startsWith(': 0\n')) throw new Error(`exit code${code.trim()}\n${block}\nprinted:\n${printed}`)
    return printed.trim()
  }
}

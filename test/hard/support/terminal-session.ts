import { type ChildProcessWithoutNullStreams, spawn, spawnSync } from 'node:child_process'
import { stripVTControlCharacters } from 'node:util'
import { onTestFinished } from 'vitest'
import { program } from './program.ts'

const bridge = 'import os, pty, sys; sys.exit(os.waitstatus_to_exitcode(pty.spawn(sys.argv[1:])))'
/** Python makes the terminals. */
export const hasPython = spawnSync('python3', ['-c', 'import pty']).status === 0

/** A shell with job control on a terminal of its own. */
export class TerminalSession {
  readonly #child: ChildProcessWithoutNullStreams
  #seen = ''
  #changed = Promise.withResolvers<void>()

  constructor(shell: readonly string[] = ['/bin/bash', '--norc', '--noprofile', '-i'], cwd?: string) {
    this.#child = spawn('python3', ['-c', bridge, ...shell], {
      cwd,
      env: { PATH: process.env.PATH, PS1: '$ ', TERM: 'xterm', HISTFILE: '' },
    })
    onTestFinished(() => void this.#child.kill('SIGKILL'))
    this.#child.stdout.setEncoding('utf8').on('data', (part: string) => {
      this.#seen += stripVTControlCharacters(part)
      const { resolve } = this.#changed
      this.#changed = Promise.withResolvers<void>()
      resolve()
    })
  }

  type(keys: string): void {
    this.#child.stdin.write(keys)
  }

  /** Waits for a text, and consumes the output up to it. */
  async sees(pattern: RegExp): Promise<string> {
    for (;;) {
      const found = pattern.exec(this.#seen)
      if (found !== null) {
        const end = found.index + found[0].length
        const before = this.#seen.slice(0, end)
        this.#seen = this.#seen.slice(end)
        return before
      }
      await this.#changed.promise
    }
  }

  /** Starts the built program. */
  start(args = '', node = ''): void {
    this.type(`'${process.execPath}' ${node} '${program}' --port 0 ${args}\r`)
  }

  /** The exit code of the last command, and whether the terminal is as a shell wants it. */
  async after(): Promise<{ exitCode: number; isSane: boolean }> {
    this.type('echo "code=$? $(stty -a | grep -oE -- "-?(icanon|isig|echo)\\b" | tr "\\n" " ")"\r')
    const line = await this.sees(/code=\d+ [^\r\n]*\r/)
    const [, code, modes = ''] = /code=(\d+) ([^\r\n]*)\r$/.exec(line) ?? []
    return { exitCode: Number(code), isSane: modes.trim() === 'isig icanon echo' }
  }
}

import { isatty } from 'node:tty'
import { ttyKeyboard } from './keys/tty-keyboard.ts'
import { run } from './program.ts'
import type { Environment, Terminal } from './terminal.ts'

// This file only connects the program with its process: arguments, terminal, exit code. `tools/entry/cli.mjs` has
// checked the Node version.

const { env } = process
const typedOn = isatty(0)
const interactive = isatty(1)

/** Standard output or error, created on first use: creating it takes longer than answering the first request. */
function lately(name: 'stdout' | 'stderr'): (text: string) => void {
  let stream: NodeJS.WriteStream | undefined
  return (text) => {
    // The reader of a pipe may end (`| head`); the emulator goes on.
    stream ??= process[name].on('error', () => {})
    stream.write(text)
  }
}

const out = lately('stdout')
const err = lately('stderr')

const terminal: Terminal = {
  env,
  interactive,
  colours: wantsColours(env, interactive && process.stdout.hasColors()),
  get columns() {
    // Some terminals of CI and containers report no width.
    return interactive ? process.stdout.columns || 80 : null
  },
  keyboard: typedOn && interactive ? ttyKeyboard : null,
  readInput: async () => {
    if (typedOn) return null
    return (await process.stdin.setEncoding('utf8').toArray()).join('')
  },
  ask: async (question) => {
    if (!typedOn || !interactive) return null
    const { createInterface } = await import('node:readline/promises')
    const line = createInterface({ input: process.stdin, output: process.stderr })
    try {
      return await line.question(question)
    } finally {
      line.close()
    }
  },
  out: (text) => out(`${text}\n`),
  err: (text) => err(`${text}\n`),
  overwrite: err,
}

run(process.argv.slice(2), terminal).then((exitCode) => {
  process.exitCode = exitCode
})

/** Whether to write colours. FORCE_COLOR decides first (0 or false: no), then NO_COLOR (no colours). Without both,
 *  it depends on the terminal. Empty variables are ignored (https://no-color.org).
 *  @param terminal whether the output is a terminal with colours */
export function wantsColours(
  { FORCE_COLOR: force = '', NO_COLOR: no = '' }: Environment,
  terminal: boolean,
): boolean {
  if (force !== '') return !['0', 'false'].includes(force)
  return no === '' && terminal
}

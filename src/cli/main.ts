import { isatty } from 'node:tty'
import { wantsColours } from './colours.ts'
import { ttyKeyboard } from './keys/tty-keyboard.ts'
import { run } from './program.ts'
import type { Terminal } from './terminal.ts'

// Nothing here but the process itself: its arguments, its terminal, its exit code. `tools/entry/cli.mjs` has made sure
// by now that this Node is recent enough.

// The reader of a pipe may leave (`| head`); the emulator goes on.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})

const { stdout, stderr, env } = process
const typedOn = isatty(0)

const terminal: Terminal = {
  env,
  interactive: stdout.isTTY === true,
  colours: wantsColours(env, stdout.isTTY === true && stdout.hasColors()),
  get columns() {
    return stdout.isTTY === true ? stdout.columns : null
  },
  keyboard: typedOn && stdout.isTTY === true ? ttyKeyboard : null,
  readInput: async () => {
    if (typedOn) return null
    return (await process.stdin.setEncoding('utf8').toArray()).join('')
  },
  out: (text) => stdout.write(`${text}\n`),
  err: (text) => stderr.write(`${text}\n`),
  overwrite: (text) => stderr.write(text),
}

run(process.argv.slice(2), terminal).then((exitCode) => {
  process.exitCode = exitCode
})

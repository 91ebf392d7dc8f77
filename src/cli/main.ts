import { run } from './program.ts'
import type { Terminal } from './terminal.ts'

// Nothing here but the process itself: its arguments, its terminal, its exit code. `tools/cli-entry.mjs` has made sure
// by now that this Node is recent enough.

// The reader of a pipe may leave (`| head`); the emulator goes on.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})

const terminal: Terminal = {
  env: process.env,
  interactive: process.stdout.isTTY === true,
  colours: process.stdout.isTTY === true && process.stdout.hasColors(),
  out: (text) => process.stdout.write(`${text}\n`),
  err: (text) => process.stderr.write(`${text}\n`),
}

run(process.argv.slice(2), terminal).then((exitCode) => {
  process.exitCode = exitCode
})

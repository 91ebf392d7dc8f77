import { run } from './program.ts'
import type { Terminal } from './terminal.ts'

/** Runs the program in this process: its arguments, its terminal, its exit code. */
export async function runProcess(): Promise<void> {
  // The reader of a pipe may leave (`| head`); the emulator goes on.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})
  const terminal: Terminal = {
    env: process.env,
    interactive: process.stdout.isTTY === true,
    colours: process.stdout.isTTY === true && process.stdout.hasColors(),
    out: (text) => process.stdout.write(`${text}\n`),
    err: (text) => process.stderr.write(`${text}\n`),
  }
  process.exitCode = await run(process.argv.slice(2), terminal)
}

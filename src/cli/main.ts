import { isatty } from 'node:tty'
import { ttyKeyboard } from './keys/tty-keyboard.ts'
import { run } from './program.ts'
import type { Environment, Terminal } from './terminal.ts'

// Nothing here but the process itself: its arguments, its terminal, its exit code. `tools/entry/cli.mjs` has made sure
// by now that this Node is recent enough.

const { env } = process
const typedOn = isatty(0)
const interactive = isatty(1)

/** Standard output or error, made when it is first written to: that takes longer than to answer the first request. */
function lately(name: 'stdout' | 'stderr'): (text: string) => void {
  let stream: NodeJS.WriteStream | undefined
  return (text) => {
    // The reader of a pipe may leave (`| head`); the emulator goes on.
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
    // Some terminals, of CI and of containers, say that they have none.
    return interactive ? process.stdout.columns || 80 : null
  },
  keyboard: typedOn && interactive ? ttyKeyboard : null,
  readInput: async () => {
    if (typedOn) return null
    return (await process.stdin.setEncoding('utf8').toArray()).join('')
  },
  out: (text) => out(`${text}\n`),
  err: (text) => err(`${text}\n`),
  overwrite: err,
}

run(process.argv.slice(2), terminal).then((exitCode) => {
  process.exitCode = exitCode
})

/** Whether to write in colour: FORCE_COLOR says so or not (0, false) before anything else, then NO_COLOR says no; where
 *  neither is set it depends on the terminal. An empty variable is none (https://no-color.org).
 *  @param terminal whether this is a terminal that knows colours */
export function wantsColours(
  { FORCE_COLOR: force = '', NO_COLOR: no = '' }: Environment,
  terminal: boolean,
): boolean {
  if (force !== '') return !['0', 'false'].includes(force)
  return no === '' && terminal
}

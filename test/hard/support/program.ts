import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { onTestFinished } from 'vitest'

/** The built program. */
export const program = join(import.meta.dirname, '../../../dist/cli.js')

/** The built program in a process of its own. */
export interface Program {
  readonly child: ChildProcess
  readonly url: string
  /** The exit code, or the signal that ended it. */
  readonly exited: Promise<number | string | null>
  /** Wall milliseconds from the spawn to the ready line. */
  readonly readyMs: number
}

/** How the built program is run. */
export interface StartOptions {
  /** For the Node that runs it, such as `--import` and a module that runs first. */
  readonly nodeArgs?: readonly string[]
  readonly env?: Readonly<Record<string, string>>
  /** `ignore` where its log is known to be long; otherwise the test's own. */
  readonly stderr?: 'inherit' | 'ignore'
  /** When it is killed: `afterAll` for one that all tests of a file share. */
  readonly atEnd?: (kill: () => void) => void
}

/** Starts the built program on a free port and waits until it is ready. It does not outlive the test, unless
 *  `atEnd` says otherwise.
 *  @param args further arguments of `serve`, such as `--clock`, `60x` */
export async function startProgram(args: readonly string[], options: StartOptions = {}): Promise<Program> {
  const begun = performance.now()
  const child = spawn(
    process.execPath,
    [...(options.nodeArgs ?? []), program, 'serve', '--port', '0', '--log', 'json', ...args],
    {
      stdio: ['ignore', 'pipe', options.stderr ?? 'inherit'],
      env: { PATH: process.env.PATH, ...options.env },
    },
  )
  const exited = new Promise<number | string | null>((resolve) => {
    child.once('exit', (code, signal) => resolve(signal ?? code))
  })
  const atEnd = options.atEnd ?? onTestFinished
  atEnd(() => void child.kill('SIGKILL'))
  for await (const line of createInterface({ input: child.stdout })) {
    const event = JSON.parse(line)
    if (event.event !== 'ready') continue
    child.stdout.resume()
    return { child, exited, url: String(event.url), readyMs: performance.now() - begun }
  }
  throw new Error(`the program ended before it was ready: ${await exited}`)
}

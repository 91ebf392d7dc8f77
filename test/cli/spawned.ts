import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { resolve as absolute } from 'node:path'
import { onTestFinished } from 'vitest'

/** The program in a process of its own. */
export interface Spawned {
  readonly child: ChildProcess
  /** The output so far. */
  readonly written: { out: string; err: string }
  /** Resolves once one of both holds what fits; fails if the process ends before. */
  wrote(pattern: RegExp): Promise<RegExpExecArray>
  /** The exit code, or the signal that ended it, once all output has come. */
  readonly ended: Promise<number | string | null>
}

/** Runs the program as it is built: from its sources it would take four times as long to start. The process does not
 *  outlive the test.
 *  @param options.channel opens an IPC channel, as the launcher does
 *  @param options.before JavaScript that runs first
 *  @param options.cwd its working directory; default: that of the tests
 *  @param options.detached without the terminal in which the tests may run */
export function spawnProgram(
  argv: readonly string[],
  options: { channel?: boolean; before?: string; detached?: boolean; cwd?: string } = {},
): Spawned {
  const preload = options.before === undefined ? [] : ['--import', `data:text/javascript,${options.before}`]
  const child = spawn(process.execPath, [...preload, absolute('dist/cli.js'), ...argv], {
    stdio: ['ignore', 'pipe', 'pipe', ...(options.channel ? (['ipc'] as const) : [])],
    env: { PATH: process.env.PATH },
    detached: options.detached ?? false,
    cwd: options.cwd,
  })
  onTestFinished(() => {
    child.kill('SIGKILL')
  })
  const written = { out: '', err: '' }
  let changed = Promise.withResolvers<void>()
  const tell = () => {
    const { resolve } = changed
    changed = Promise.withResolvers<void>()
    resolve()
  }
  for (const [name, stream] of [
    ['out', child.stdout],
    ['err', child.stderr],
  ] as const) {
    stream?.setEncoding('utf8').on('data', (part: string) => {
      written[name] += part
      tell()
    })
  }
  let over = false
  // Not `close`: it never comes to one who closes the channel himself.
  const streams = [child.stdout, child.stderr].flatMap((stream) =>
    stream === null ? [] : [once(stream, 'end')],
  )
  const ended = Promise.all([once(child, 'exit'), ...streams]).then(([[code, signal]]) => {
    over = true
    tell()
    return signal ?? code
  })
  const wrote = async (pattern: RegExp): Promise<RegExpExecArray> => {
    for (;;) {
      const found = pattern.exec(written.out) ?? pattern.exec(written.err)
      if (found !== null) return found
      if (over) throw new Error(`ended without ${pattern}: ${written.out}${written.err}`)
      await changed.promise
    }
  }
  return { child, written, wrote, ended }
}

import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parse } from 'yaml'
import type { ConformConfig } from '../../../../src/conform/index.ts'
import { pause } from '../../../../src/time/timers.ts'
import { freePort } from '../../../../tools/free-port.ts'
import { type ApplicationName, applicationsFolder, type Bug, starts } from './references.ts'

const root = join(import.meta.dirname, '..', '..', '..', '..')
const patienceMs = 20_000
const startsAtMost = 3
const portTaken = /EADDRINUSE|Address already in use/

/** Which application is started, and with which bug. */
export interface Chosen {
  readonly application: ApplicationName
  readonly bug?: Bug | null
}

/** A reference application as a process of its own, in a copy of its folder. */
export class RunningApplication {
  readonly config: ConformConfig
  readonly #child: ChildProcess
  readonly #folder: string
  #log = ''

  private constructor(child: ChildProcess, { folder, config }: { folder: string; config: ConformConfig }) {
    this.#child = child
    this.#folder = folder
    this.config = config
    child.stdout?.on('data', (chunk) => this.#keep(chunk))
    child.stderr?.on('data', (chunk) => this.#keep(chunk))
    process.once('exit', this.#kill)
  }

  /** Starts it on a free port, and waits until it is open. @param env what it has to know of its client
   *  @throws Error with what it has written, if it ends or never opens */
  static async start(chosen: Chosen, env: Readonly<Record<string, string>>): Promise<RunningApplication> {
    for (let attempt = 1; ; attempt++) {
      const running = RunningApplication.#begin(chosen, env, await freePort())
      try {
        await running.#opened()
        return running
      } catch (error) {
        await running.stop()
        // Another process may have taken the port.
        if (attempt === startsAtMost || !portTaken.test(running.log)) throw error
      }
    }
  }

  static #begin(
    { application, bug = null }: Chosen,
    env: Readonly<Record<string, string>>,
    port: number,
  ): RunningApplication {
    const folder = copyOf(application, bug)
    const [command, ...args] = starts[application]
    const child = spawn(command, args, {
      cwd: folder,
      env: { PATH: process.env.PATH, PYTHONUNBUFFERED: '1', ...env, PORT: String(port) },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    return new RunningApplication(child, { folder, config: configIn(folder, port) })
  }

  /** The end of what it has written. */
  get log(): string {
    return this.#log
  }

  /** Ends it, and removes its folder. */
  async stop(): Promise<void> {
    process.off('exit', this.#kill)
    if (this.#child.exitCode === null && this.#child.signalCode === null) {
      const ended = once(this.#child, 'exit')
      this.#kill()
      await ended
    }
    rmSync(this.#folder, { recursive: true, force: true })
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stop()
  }

  /** It keeps nothing that a sudden end could spoil. */
  readonly #kill = () => this.#child.kill('SIGKILL')

  #keep(chunk: unknown): void {
    this.#log = `${this.#log}${chunk}`.slice(-8_000)
  }

  /** By what it says itself: whatever answers at the port may be another. */
  async #opened(): Promise<void> {
    const until = performance.now() + patienceMs
    while (this.#child.exitCode === null && performance.now() < until) {
      if (this.#log.includes('The shop is open')) return
      await pause(20)
    }
    // The last output arrives after the end of the process.
    await pause(20)
    throw new Error(`The application does not open. It has written:\n${this.#log}`)
  }
}

/** Outside of any checkout: there `git apply` would look for the files elsewhere. */
function copyOf(application: ApplicationName, bug: Bug | null): string {
  const folder = mkdtempSync(join(tmpdir(), `conform-${application}-`))
  cpSync(join(applicationsFolder, application), folder, { recursive: true })
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  // The patch names files from the top of the checkout: a/test/conform/applications/hono/...
  if (bug !== null) execFileSync('git', ['apply', '-p5', bug.patch], { cwd: folder })
  return folder
}

const configIn = (folder: string, port: number): ConformConfig =>
  parse(readFileSync(join(folder, 'conform.yaml'), 'utf8').replaceAll('${PORT}', String(port)))

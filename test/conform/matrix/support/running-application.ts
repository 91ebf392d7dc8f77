import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parse } from 'yaml'
import type { ApplicationProcess } from '../../../../src/conform/application/process.ts'
import type { ConformConfig } from '../../../../src/conform/index.ts'
import { pause } from '../../../../src/time/timers.ts'
import { freePort } from '../../../../tools/free-port.ts'
import {
  type ApplicationName,
  applicationsFolder,
  type Bug,
  type ProviderVariant,
  type StoryBug,
  starts,
  type Variant,
} from './references.ts'

const root = join(import.meta.dirname, '..', '..', '..', '..')
const patienceMs = 20_000
/** Characters of output that are kept. */
const longestOutput = 1_000_000
const startsAtMost = 3
const portTaken = /EADDRINUSE|Address already in use/

/** Which application is started, and what is changed in it. */
export interface Chosen {
  readonly application: ApplicationName
  readonly slow?: Variant | null
  readonly adapted?: ProviderVariant | null
  readonly bug?: Bug | null
  readonly storyBug?: StoryBug | null
}

/** The name of an application in tables and titles: `hono`, `express-queue`, `hono-norvelle-pay`, or
 *  `hono: dies-with-the-connection`. */
export function nameOf({ application, slow, adapted, bug, storyBug }: Chosen): string {
  const defect = bug ?? storyBug
  return slow ? slow.name : adapted ? adapted.name : defect ? `${application}: ${defect.name}` : application
}

/** A reference application as a process of its own, in a copy of its folder, where its database is as well. */
export class RunningApplication implements ApplicationProcess {
  readonly config: ConformConfig
  readonly #launch: () => ChildProcess
  readonly #folder: string
  #child: ChildProcess
  #output = ''
  /** What the process has written before it was started again. */
  #earlier = 0

  private constructor(
    launch: () => ChildProcess,
    { folder, config }: { folder: string; config: ConformConfig },
  ) {
    this.#launch = launch
    this.#folder = folder
    this.config = config
    this.#child = this.#launched()
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

  static #begin(chosen: Chosen, env: Readonly<Record<string, string>>, port: number): RunningApplication {
    const folder = copyOf(chosen)
    const [command, ...args] = starts[chosen.application]
    const own = { POLL_MS: '300', PORT: String(port), DATABASE: join(folder, 'orders.db') }
    const launch = () =>
      spawn(command, args, {
        cwd: folder,
        env: { PATH: process.env.PATH, PYTHONUNBUFFERED: '1', ...env, ...own },
        stdio: ['ignore', 'pipe', 'pipe'],
      })
    return new RunningApplication(launch, { folder, config: configIn(folder, port) })
  }

  output(): string {
    return this.#output
  }

  /** The end of its output. */
  get log(): string {
    return this.#output.slice(-8_000)
  }

  async restart(): Promise<void> {
    await this.#end()
    this.#earlier = this.#output.length
    this.#child = this.#launched()
    await this.#opened()
  }

  /** Ends it, and removes its folder. */
  async stop(): Promise<void> {
    process.off('exit', this.#kill)
    await this.#end()
    rmSync(this.#folder, { recursive: true, force: true })
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stop()
  }

  readonly #kill = () => this.#child.kill('SIGKILL')

  async #end(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return
    const closed = once(this.#child, 'close')
    this.#kill()
    await closed
  }

  #launched(): ChildProcess {
    const child = this.#launch()
    child.stdout?.on('data', (chunk) => this.#keep(chunk))
    child.stderr?.on('data', (chunk) => this.#keep(chunk))
    return child
  }

  #keep(chunk: unknown): void {
    const whole = `${this.#output}${chunk}`
    this.#output = whole.slice(-longestOutput)
    this.#earlier = Math.max(0, this.#earlier - (whole.length - this.#output.length))
  }

  /** By what it says itself: whatever answers at the port may be another. */
  async #opened(): Promise<void> {
    const until = performance.now() + patienceMs
    while (this.#child.exitCode === null && performance.now() < until) {
      if (this.#output.includes('The shop is open', this.#earlier)) return
      await pause(20)
    }
    // The last output arrives after the end of the process.
    await pause(20)
    throw new Error(`The application does not open. It has written:\n${this.log}`)
  }
}

/** Outside of any checkout: there `git apply` would look for the files elsewhere. */
function copyOf({ application, slow, adapted, bug, storyBug }: Chosen): string {
  const folder = mkdtempSync(join(tmpdir(), `conform-${application}-`))
  cpSync(join(applicationsFolder, application), folder, { recursive: true })
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  // The patch names files from the top of the checkout: a/test/conform/applications/hono/...
  for (const change of [slow, adapted, bug, storyBug])
    if (change) execFileSync('git', ['apply', '-p5', change.patch], { cwd: folder })
  return folder
}

const configIn = (folder: string, port: number): ConformConfig =>
  parse(readFileSync(join(folder, 'conform.yaml'), 'utf8').replaceAll('${PORT}', String(port)))

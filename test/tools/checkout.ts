import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

const root = dirname(dirname(import.meta.dirname))

/** A folder that looks like an installed checkout to the launcher, with programs written by the test. */
export class Checkout {
  readonly path = mkdtempSync(join(tmpdir(), 'launch-test-'))
  readonly launcher = join(this.path, 'tools', 'launch.mjs')
  readonly #started: Run[] = []

  constructor() {
    for (const name of ['launch.mjs', 'launch', 'build.mjs', 'build', 'entry']) {
      cpSync(join(root, 'tools', name), join(this.path, 'tools', name), { recursive: true })
    }
    this.write('package.json', '{"name":"checkout","type":"module","engines":{"node":">=22.19.0"}}')
    this.write('package-lock.json', '{"packages":{"":{},"node_modules/a":{"version":"1.0.0"}}}')
    this.write('node_modules/.package-lock.json', '{"packages":{"node_modules/a":{"version":"1.0.0"}}}')
  }

  write(name: string, text: string): void {
    mkdirSync(dirname(join(this.path, name)), { recursive: true })
    writeFileSync(join(this.path, name), text)
  }

  read(name: string): string {
    return readFileSync(join(this.path, name), 'utf8')
  }

  /** Gives it this project's dependencies, for tests that build. */
  linkDependencies(): void {
    rmSync(join(this.path, 'node_modules'), { recursive: true })
    symlinkSync(join(root, 'node_modules'), join(this.path, 'node_modules'))
    cpSync(join(root, 'package-lock.json'), join(this.path, 'package-lock.json'))
  }

  launch(args: string[], env: NodeJS.ProcessEnv = {}): Run {
    return this.run(process.execPath, [this.launcher, ...args], env)
  }

  run(command: string, args: string[], env: NodeJS.ProcessEnv = {}): Run {
    // The test itself may have been started by npm.
    const own = Object.entries(process.env).filter(([name]) => !name.startsWith('npm_'))
    const run = new Run(spawn(command, args, { cwd: this.path, env: { ...Object.fromEntries(own), ...env } }))
    this.#started.push(run)
    return run
  }

  /** Ends what a failed test left and removes the folder. */
  [Symbol.dispose](): void {
    for (const run of this.#started)
      for (const pid of run.pids) if (isAlive(pid)) process.kill(pid, 'SIGKILL')
    rmSync(this.path, { recursive: true, force: true })
  }
}

/** A started process and all that it and its children wrote. */
export class Run {
  readonly ended: Promise<{ code: number | null; signal: NodeJS.Signals | null; output: string }>
  readonly process: ChildProcess
  #output = ''

  constructor(process: ChildProcess) {
    this.process = process
    for (const stream of [process.stdout, process.stderr]) {
      stream?.setEncoding('utf8').on('data', (text: string) => {
        this.#output += text
      })
    }
    this.ended = once(process, 'close').then(([code, signal]) => ({ code, signal, output: this.#output }))
  }

  get output(): string {
    return this.#output
  }

  /** Its pid, and the pids that programs printed as `pid <number>`. */
  get pids(): number[] {
    const told = [...this.#output.matchAll(/^pid (\d+)$/gm)].map((match) => Number(match[1]))
    return [...told, this.process.pid].filter((pid) => pid !== undefined)
  }

  /** Resolves once the output holds the text. */
  writes(text: string): Promise<void> {
    return until(() => this.#output.includes(text), `"${text}" in the output, which is: ${this.#output}`)
  }
}

/** Whether it runs; one that has ended but was not yet collected by its parent does not. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return process.platform !== 'linux' || !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
  } catch {
    return false
  }
}

/** Looks again and again until it holds; fails after 25 s, so that it says what for before the test’s time is over. */
export async function until(holds: () => boolean, what: string): Promise<void> {
  for (const start = performance.now(); !holds(); await new Promise((resolve) => setTimeout(resolve, 10))) {
    if (performance.now() - start > 25_000) throw new Error(`waited in vain for ${what}`)
  }
}

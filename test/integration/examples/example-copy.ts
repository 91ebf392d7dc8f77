import { cpSync, existsSync, globSync, rmSync, symlinkSync } from 'node:fs'
import { basename, join } from 'node:path'
import { inject } from 'vitest'
import { type ExampleBug, examplesFolder } from '../../../tools/docs/examples.ts'
import { run, runWell } from '../support/run.ts'
import { type Outcomes, readReport } from './report.ts'

const chromium = process.env.CHROMIUM ?? '/usr/bin/chromium'
/** Whether there is a browser for the examples that want one. */
export const hasChromium = existsSync(chromium)

/** Has the test runner write a report that a program can read. */
const reporting: Readonly<Record<string, readonly string[]>> = {
  vitest: ['--reporter=json', '--outputFile=report.json'],
  jest: ['--json', '--outputFile=report.json'],
  playwright: ['--reporter=json'],
}

/** An example as a user has it who has copied it out of the checkout. */
export class ExampleCopy {
  readonly #example: string
  readonly #path: string

  private constructor(example: string, path: string) {
    this.#example = example
    this.#path = path
  }

  /** Copies an example, and installs what its lock file says. @param tarball the packed package */
  static async installed(example: string, tarball: string): Promise<ExampleCopy> {
    const folder = join(inject('sharedFolder'), 'examples')
    cpSync(tarball, join(folder, 'payment-order-emulator.tgz'))
    const path = join(folder, example)
    copySources(join(examplesFolder, example), path)
    await runWell('npm', ['ci', '--prefer-offline', '--no-audit', '--no-fund'], { cwd: path })
    return new ExampleCopy(example, path)
  }

  /** Another copy, with a bug in it. Without conform: it would find many of the bugs as well, and what is asked here is
   *  whether the tests that were written for them do. */
  async withBug({ name, patch }: ExampleBug): Promise<ExampleCopy> {
    const copy = this.withoutConform(name)
    // The patch names files from the top of the checkout: examples/vitest/src/...
    await runWell('git', ['apply', '-p3', patch], { cwd: copy.#path })
    return copy
  }

  /** Another copy, with its own tests alone. It shares what is installed. */
  withoutConform(name: string): ExampleCopy {
    const path = `${this.#path}-${name}`
    copySources(this.#path, path)
    for (const file of globSync('test/conform.test.*', { cwd: path })) rmSync(join(path, file))
    symlinkSync(join(this.#path, 'node_modules'), join(path, 'node_modules'))
    return new ExampleCopy(this.#example, path)
  }

  /** Runs its tests as a user does. @param more environment variables */
  async test(more: NodeJS.ProcessEnv = {}): Promise<Outcomes> {
    const env = { CHROMIUM: chromium, PLAYWRIGHT_JSON_OUTPUT_NAME: 'report.json', ...more }
    const args = ['test', '--', ...(reporting[this.#example] ?? [])]
    rmSync(join(this.#path, 'report.json'), { force: true })
    const { out, err } = await run('npm', args, { cwd: this.#path, env })
    return readReport(join(this.#path, 'report.json'), this.#path, `${out}\n${err}`)
  }
}

function copySources(from: string, to: string): void {
  const made = ['node_modules', 'test-results', 'bugs', 'report.json']
  cpSync(from, to, { recursive: true, filter: (path) => path === from || !made.includes(basename(path)) })
}

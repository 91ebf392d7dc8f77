import { cpSync, existsSync, globSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { inject } from 'vitest'
import type { Outcome, SweepReport } from '../../../src/sweep/report.ts'
import { type ExampleBug, examplesFolder } from '../../../tools/docs/examples.ts'
import { run, runWell } from '../support/run.ts'
import { type Outcomes, readReport } from './report.ts'

const chromium = process.env.CHROMIUM ?? '/usr/bin/chromium'
/** Whether there is a browser for the examples that want one. */
export const hasChromium = existsSync(chromium)

/** Has the test runner write a report that a program can read, and end only what hangs. */
const options: Readonly<Record<string, readonly string[]>> = {
  vitest: ['--reporter=json', '--outputFile=report.json', '--testTimeout=60000', '--hookTimeout=60000'],
  jest: ['--json', '--outputFile=report.json', '--testTimeout=60000'],
  playwright: ['--reporter=json', '--timeout=60000'],
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

  /** The tests that fail with each of these bugs, by the bug's name. Without conform: it would find many of the bugs as
   *  well, and what is asked here is whether the tests that were written for them do. */
  async failuresWith(bugs: readonly ExampleBug[]): Promise<Readonly<Record<string, readonly string[]>>> {
    const folder = `${this.#path}-with-bugs`
    const copies = new Map(bugs.map(({ name }) => [name, this.withoutConform(`with-bugs/${name}`)]))
    // The patches name files from the top of the checkout: examples/vitest/src/...
    for (const { name, patch } of bugs)
      await runWell('git', ['apply', '-p3', patch], { cwd: join(folder, name) })
    const failed: Record<string, readonly string[]> = {}
    if (this.#example === 'playwright') {
      // It is configured within each copy.
      for (const [name, copy] of copies) failed[name] = (await copy.test()).failed
      return failed
    }
    // One project with all copies in it: the test runner starts once.
    writeFileSync(join(folder, 'package.json'), '{ "private": true }')
    const runner = join(this.#path, 'node_modules', '.bin', this.#example)
    const args = [...(this.#example === 'vitest' ? ['run'] : []), ...(options[this.#example] ?? [])]
    const { out, err } = await run(runner, args, { cwd: folder, timeoutMs: 300_000 })
    const all = readReport(join(folder, 'report.json'), folder, `${out}\n${err}`)
    for (const name of copies.keys()) {
      const own = all.failed.filter((test) => test.startsWith(`${name}/`))
      failed[name] = own.map((test) => test.slice(name.length + 1))
    }
    return failed
  }

  /** The findings of `sweep` on its happy path, by behaviour.
   *  @param bug a bug to plant */
  async swept(only: readonly string[], bug?: ExampleBug): Promise<Readonly<Record<string, Outcome>>> {
    const copy = this.withoutConform(`swept-${bug?.name ?? 'right'}`)
    if (bug !== undefined) await runWell('git', ['apply', '-p3', bug.patch], { cwd: copy.#path })
    const file = 'report-{run}.json'
    const tests = {
      vitest: ['vitest', 'run', 'test/happy-path', '--reporter=json'],
      jest: ['jest', 'test/happy-path', '--json'],
    }[this.#example === 'vitest' ? 'vitest' : 'jest']
    const sweep = ['payment-order-emulator', 'sweep', '--json', '--report', file, '--only', only.join()]
    const args = [...sweep, '--', 'npx', ...tests, `--outputFile=${file}`]
    const { code, out, err } = await run('npx', args, { cwd: copy.#path })
    if (code === 2) throw new Error(err)
    const { results }: SweepReport = JSON.parse(out)
    return Object.fromEntries(results.map(({ name, outcome }) => [name, outcome]))
  }

  /** Another copy, with its own tests alone. */
  withoutConform(name: string): ExampleCopy {
    const copy = this.#copied(name)
    for (const file of globSync('test/conform.test.*', { cwd: copy.#path })) rmSync(join(copy.#path, file))
    return copy
  }

  /** Another copy, for a provider that a patch knows. */
  async adapted(provider: string): Promise<ExampleCopy> {
    const copy = this.#copied(provider)
    const patch = join(import.meta.dirname, 'providers', `${this.#example}-${provider}.patch`)
    await runWell('git', ['apply', '-p1', patch], { cwd: copy.#path })
    return copy
  }

  /** Another copy. It shares what is installed. */
  #copied(name: string): ExampleCopy {
    const path = `${this.#path}-${name}`
    copySources(this.#path, path)
    symlinkSync(join(this.#path, 'node_modules'), join(path, 'node_modules'))
    return new ExampleCopy(this.#example, path)
  }

  /** Runs its tests as a user does. @param more environment variables */
  async test(more: NodeJS.ProcessEnv = {}): Promise<Outcomes> {
    const env = { CHROMIUM: chromium, PLAYWRIGHT_JSON_OUTPUT_NAME: 'report.json', ...more }
    const args = ['test', '--', ...(options[this.#example] ?? [])]
    rmSync(join(this.#path, 'report.json'), { force: true })
    const { out, err } = await run('npm', args, { cwd: this.#path, env })
    return readReport(join(this.#path, 'report.json'), this.#path, `${out}\n${err}`)
  }
}

function copySources(from: string, to: string): void {
  const made = ['node_modules', 'test-results', 'bugs', 'report.json']
  cpSync(from, to, { recursive: true, filter: (path) => path === from || !made.includes(basename(path)) })
}

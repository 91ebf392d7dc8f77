// Breaks lines of the program, one at a time, and runs the tests that can see it: a mutant that no test notices is a gap in
// the tests. `npm run mutants -- --seed 7 --count 40`; `--from 20` leaves out the first 19 of the seed.

import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { parseArgs } from 'node:util'
import { transformSync } from 'esbuild'

const rooms = ['domain', 'lifecycle', 'webhooks', 'api', 'store']

const to = (text: string) => () => text

/** The changes that break a line. Each matching one makes a mutant. */
const breakages: readonly (readonly [RegExp, (found: string) => string])[] = [
  [/ === /, to(' !== ')],
  [/ !== /, to(' === ')],
  [/ <= /, to(' < ')],
  [/ >= /, to(' > ')],
  [/ < /, to(' >= ')],
  [/ > /, to(' <= ')],
  [/ && /, to(' || ')],
  [/ \|\| /, to(' && ')],
  [/ \?\? /, to(' && ')],
  [/ \+ /, to(' - ')],
  [/ - /, to(' + ')],
  [/\btrue\b/, to('false')],
  [/\bfalse\b/, to('true')],
  [/\b\d[\d_]*\b/, (number) => String(Number(number.replaceAll('_', '')) + 1)],
  [/\bif \([^()]*(\([^()]*\)[^()]*)*\)/, (condition) => `${condition.replace('if (', 'if (!(')})`],
  [/'[a-z][^']*'/, to("'mutant'")],
  // A call that stands by itself is left out.
  [/^ +(await )?[\w.#]+\(.*\)$/, to('')],
]

interface Mutant {
  readonly file: string
  readonly line: number
  readonly before: string
  readonly after: string
  /** Of the whole file. */
  readonly text: string
}

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    count: { type: 'string', default: '40' },
    from: { type: 'string', default: '1' },
  },
})
const root = dirname(import.meta.dirname)
/** A separate checkout, because files are broken in it. */
const checkout = join(mkdtempSync(join(tmpdir(), 'mutants-')), 'checkout')
git('worktree', 'add', '--detach', checkout, 'HEAD')
/** Of the tests of one mutant, in milliseconds. */
const mostMs = 600_000
let running: ChildProcess | undefined
process.on('exit', () => {
  running?.kill('SIGKILL')
  git('worktree', 'remove', '--force', checkout)
  rmSync(dirname(checkout), { recursive: true, force: true })
})
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(130))
for (const name of ['node_modules', 'dist']) symlinkSync(join(root, name), join(checkout, name))

const random = randomFrom(Number(values.seed))
const mutants = allMutants()
let survived = 0
for (let n = 1; n <= Number(values.count) && mutants.length > 0; n++) {
  const [mutant] = mutants.splice(Math.floor(random() * mutants.length), 1)
  if (mutant === undefined) break
  if (n < Number(values.from)) continue
  const begun = performance.now()
  const outcome = await tried(mutant)
  if (outcome === 'SURVIVED') survived += 1
  const { file, line, before, after } = mutant
  console.log(`${n}. ${outcome}, ${Math.round((performance.now() - begun) / 1000)} s: ${file}:${line}`)
  console.log(`   - ${before.trim()}\n   + ${after.trim()}`)
}
console.log(`${survived} survived`)

function allMutants(): Mutant[] {
  const files = git('ls-files', ...rooms.map((room) => `src/${room}/*.ts`)).split('\n')
  return files.filter((file) => file !== '').flatMap(mutantsOf)
}

function mutantsOf(file: string): Mutant[] {
  const text = readFileSync(join(checkout, file), 'utf8')
  const code = codeOf(text)
  const lines = text.split('\n')
  return lines.flatMap((before, index) => {
    if (/^\s*(\/\/|\/?\*|import |export \{|export \*)/.test(before)) return []
    return breakages.flatMap(([found, change]) => {
      const after = before.replace(found, change)
      if (after === before) return []
      const mutated = lines.with(index, after).join('\n')
      // Not what is types only, and not what can no longer be parsed.
      const broken = codeOf(mutated)
      return broken === null || broken === code
        ? []
        : [{ file, line: index + 1, before, after, text: mutated }]
    })
  })
}

function codeOf(text: string): string | null {
  try {
    return transformSync(text, { loader: 'ts', minifyWhitespace: true, logLevel: 'silent' }).code
  } catch {
    return null
  }
}

async function tried({ file, text }: Mutant): Promise<'noticed' | 'noticed (it hung)' | 'SURVIVED'> {
  const path = join(checkout, file)
  const whole = readFileSync(path, 'utf8')
  writeFileSync(path, text)
  try {
    // The tests of its folder know best, and all that reach it through others take a minute or more.
    const own = ['run', dirname(file).replace('src', 'test')]
    const related = ['related', '--run', file]
    for (const words of [own, related]) {
      const status = await vitest([...words, '--bail', '1', '--project', 'unit', '--passWithNoTests'])
      if (status !== 0) return status === null ? 'noticed (it hung)' : 'noticed'
    }
    return 'SURVIVED'
  } finally {
    writeFileSync(path, whole)
  }
}

/** Null if it had to be ended. */
async function vitest(words: readonly string[]): Promise<number | null> {
  const program = join(checkout, 'node_modules/vitest/vitest.mjs')
  running = spawn(process.execPath, [program, ...words], {
    cwd: checkout,
    stdio: 'ignore',
    timeout: mostMs,
    killSignal: 'SIGKILL',
  })
  const [status]: (number | null)[] = await once(running, 'exit')
  return status ?? null
}

function git(...args: string[]): string {
  const { status, stdout, stderr } = spawnSync('git', args, { cwd: root, encoding: 'utf8' })
  if (status !== 0) throw new Error(`git ${args.join(' ')}: ${stderr}`)
  return stdout
}

/** A small generator (mulberry32): the same seed draws the same lines. */
function randomFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

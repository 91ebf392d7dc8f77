import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { expect, test } from 'vitest'

/** The modules by layer. A module imports from itself and from lower layers, never from its own layer or above. */
const layers: readonly (readonly string[])[] = [
  ['domain'],
  ['time', 'store'],
  ['lifecycle', 'webhooks', 'journal', 'http'],
  ['api', 'control'],
  ['pages'],
  ['app'],
  ['testing', 'learn'],
  ['index.ts'],
  ['conform', 'sweep'],
  ['cli'],
]

interface Source {
  readonly file: string
  readonly text: string
  /** The files of `src` that it imports, types included. */
  readonly imports: readonly string[]
}

const sources: readonly Source[] = globSync('src/**/*.{ts,tsx}')
  .sort()
  .map((file) => {
    const text = readFileSync(file, 'utf8')
    const code = text.replaceAll(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '')
    const relatives = [...code.matchAll(/(?:from|import)\s*\(?\s*'(\.[^']+)'/g)]
    return { file, text, imports: relatives.map(([, path = '']) => join(dirname(file), path)) }
  })

const moduleOf = (file: string): string => relative('src', file).split('/')[0] ?? ''
const layerOf = (file: string): number => layers.findIndex((modules) => modules.includes(moduleOf(file)))

test('each file belongs to a module: at the top of src stands index.ts alone', () => {
  const homeless = sources.filter(({ file }) => layerOf(file) < 0).map(({ file }) => file)
  expect(
    homeless,
    'Move it into a module of docs/explanation/architecture.md, or add one there and above',
  ).toEqual([])
})

test('a module imports from lower layers only', () => {
  const wrong = sources.flatMap(({ file, imports }) =>
    imports
      .filter((to) => moduleOf(to) !== moduleOf(file) && !(layerOf(to) < layerOf(file)))
      .map((to) => `${file} imports ${to}: ${moduleOf(to)} is not below ${moduleOf(file)}`),
  )
  expect(wrong).toEqual([])
})

test('no files import each other in a circle, types included', () => {
  const words = circles(new Map(sources.map(({ file, imports }) => [file, imports]))).map(
    (files) => `${files.join(' -> ')}: move what they share into a file that imports neither`,
  )
  expect(words).toEqual([])
})

test('the search for circles finds one', () => {
  const imports = new Map([
    ['a', ['b']],
    ['b', ['c', 'd']],
    ['c', ['a']],
    ['d', []],
  ])
  expect(circles(imports)).toEqual([['a', 'b', 'c']])
})

/** Files that can be reached from themselves, each group once, in alphabetical order. */
function circles(imports: ReadonlyMap<string, readonly string[]>): string[][] {
  const reached = new Map([...imports.keys()].map((file) => [file, reachable(file, imports)]))
  const groups = [...reached].map(([file, files]) =>
    [...files].filter((other) => reached.get(other)?.has(file) === true).sort(),
  )
  return [...new Map(groups.filter((group) => group.length > 0).map((group) => [group[0], group])).values()]
}

function reachable(start: string, imports: ReadonlyMap<string, readonly string[]>): Set<string> {
  const found = new Set<string>()
  const open = [...(imports.get(start) ?? [])]
  for (let file = open.pop(); file !== undefined; file = open.pop()) {
    if (found.has(file)) continue
    found.add(file)
    open.push(...(imports.get(file) ?? []))
  }
  return found
}

test('a file is at most 450 lines long, and a folder holds at most 25 files', () => {
  const long = sources.filter(({ text }) => text.split('\n').length - 1 > 450).map(({ file }) => file)
  expect(long, 'Split it by ideas').toEqual([])
  // Each case of conform is a file, so that folder may grow.
  const folders = Map.groupBy(sources, ({ file }) => dirname(file))
  const full = [...folders].filter(([folder, files]) => files.length > 25 && folder !== 'src/conform/cases')
  expect(
    full.map(([folder, files]) => `${folder} holds ${files.length} files`),
    'Merge small files, or group them in a folder',
  ).toEqual([])
})

/** Resources that only some modules or files may use. */
const reserved: readonly [what: string, pattern: RegExp, places: readonly string[]][] = [
  [
    'the wall clock and timers',
    /\bDate\.now\b|\bsetTimeout\b|\bsetInterval\b|\bperformance\.now\b/,
    ['time', 'cli'],
  ],
  ['SQL and the database file', /from '(better-sqlite3|drizzle-orm)/, ['store']],
  ['the SQLite store', /from '[^']*\/sqlite\//, ['store', 'app']],
  [
    'outgoing HTTP',
    /(from |import\()'undici'|(?<!app\.)\bfetch\(/,
    ['webhooks', 'testing', 'index.ts', 'cli', 'conform'],
  ],
  ['the process', /\bprocess\.(exit|argv|env|on|stdout|stderr)\b/, ['cli', 'testing']],
  [
    'randomness',
    /\brandom(Bytes|UUID|Int)\b|Math\.random/,
    ['lifecycle', 'control', 'pages', 'app', 'testing', 'conform', 'cli'],
  ],
  ['functions made from text', /\bnew Function\b|\beval\(/, []],
  ["V8's flags", /\bsetFlagsFromString\b/, []],
]

/** Code for people to copy: text here, run nowhere. */
const copied = 'src/pages/dashboard/clients/credentials.tsx'

test.each(reserved)('%s: only the modules that own it touch it', (_, pattern, modules) => {
  const others = sources
    .filter(({ file, text }) => file !== copied && pattern.test(text))
    .filter(({ file }) => !modules.includes(moduleOf(file)))
  expect(others.map(({ file }) => file)).toEqual([])
})

test('no generated file is stored in src: the build makes it', () => {
  expect(globSync('src/**/*.generated.*')).toEqual([])
})

test('conform stands on public surfaces: the library, pure code, time, and the name of the package', () => {
  const allowed = ['conform', 'index.ts', 'domain', 'time']
  const inside = sources
    .filter(({ file }) => moduleOf(file) === 'conform')
    .flatMap(({ file, imports }) => imports.map((to) => ({ file, to })))
    .filter(({ to }) => !allowed.includes(moduleOf(to)) && to !== 'src/app/package.ts')
  expect(inside.map(({ file, to }) => `${file} imports ${to}`)).toEqual([])
})

test('domain is pure: it imports nothing from Node but hashing', () => {
  const impure = sources
    .filter(({ file }) => moduleOf(file) === 'domain')
    .flatMap(({ file, text }) =>
      [...text.matchAll(/from '(node:[^']+)'/g)].map(([, name]) => `${file}: ${name}`),
    )
    .filter((use) => !use.endsWith('node:crypto'))
  expect(impure).toEqual([])
})

const page = readFileSync('docs/explanation/architecture.md', 'utf8')

test('docs/explanation/architecture.md is at most 900 words, and its table has every module', () => {
  expect(page.replaceAll(/```[\s\S]*?```/g, '').split(/\s+/).length).toBeLessThanOrEqual(900)
  const rows = [...page.matchAll(/^\| (\d) \| (.*?) \|/gm)].flatMap(([, layer, names = '']) =>
    [...names.matchAll(/`([^`]+?)\/?`/g)].map(([, name = '']) => [name, Number(layer)]),
  )
  const drawn = new Set(rows.map(([name]) => name))
  expect([...drawn].sort()).toEqual(layers.flat().sort())
})

test('the path of a create call to its sent webhook is at most 20 files and 2,500 lines', () => {
  const [, path = ''] = /<!-- path -->([\s\S]*?)<!-- \/path -->/.exec(page) ?? []
  const files = [...path.matchAll(/`(\w[\w/-]*\.ts)`/g)].map(([, file]) => `src/${file}`)
  const lines = files.map((file) => readFileSync(file, 'utf8').split('\n').length - 1)
  expect(files.length).toBeGreaterThan(10)
  expect(files.length).toBeLessThanOrEqual(20)
  expect(lines.reduce((sum, one) => sum + one, 0)).toBeLessThanOrEqual(2_500)
})

test('CONTRIBUTING.md names only files that exist', () => {
  const [, recipes = ''] =
    /## Where a change goes([\s\S]*?)\n\nA control call/.exec(readFileSync('CONTRIBUTING.md', 'utf8')) ?? []
  const named = [...recipes.matchAll(/`((?:\w[\w-]*\/)+(?:[\w-]+\.tsx?)?)`/g)].map(([, path = '']) => path)
  expect(named.length).toBeGreaterThan(15)
  const missing = named.filter((path) => !existsSync(path) && !existsSync(join('src', path)))
  expect(missing).toEqual([])
})

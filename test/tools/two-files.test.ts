import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { runInNewContext } from 'node:vm'
import { build } from 'esbuild'
import { expect, test } from 'vitest'
import { atStart, divided, fromOtherFile, refuseTwins } from '../../tools/build/two-files.mjs'
import { aFolder } from '../support/folder.ts'

type Edge = readonly [path: string, kind?: 'import-statement' | 'dynamic-import' | 'require-call']

/** What esbuild tells of modules and what each of them imports. */
const modules = (imports: Readonly<Record<string, readonly Edge[]>>) => ({
  inputs: Object.fromEntries(
    Object.entries(imports).map(([path, edges]) => [
      path,
      { imports: edges.map(([other, kind = 'import-statement']) => ({ path: other, kind })) },
    ]),
  ),
})

const parts = (imports: Readonly<Record<string, readonly Edge[]>>, loadedLate: readonly string[] = []) => {
  const { start, late, shared } = divided(modules(imports), ['main.ts'], loadedLate)
  return { start: [...start].sort(), late: [...late].sort(), shared: [...shared].sort() }
}

test('what is imported when first asked for goes into the second file, with all that nobody else needs', () => {
  const imports = {
    'main.ts': [['both.ts'], ['pages.ts', 'dynamic-import']],
    'both.ts': [],
    'pages.ts': [['both.ts'], ['page.ts']],
    'page.ts': [],
  } satisfies Record<string, readonly Edge[]>
  expect(parts(imports)).toEqual({
    start: ['both.ts', 'main.ts'],
    late: ['pages.ts'],
    shared: ['both.ts'],
  })
})

test('what a start needs as well stays in the first file, however it is imported elsewhere', () => {
  const imports = {
    'main.ts': [['pages.ts', 'dynamic-import'], ['other.ts']],
    'other.ts': [['pages.ts']],
    'pages.ts': [],
  } satisfies Record<string, readonly Edge[]>
  expect(parts(imports)).toEqual({ start: ['main.ts', 'other.ts', 'pages.ts'], late: [], shared: [] })
})

test('readers are in the second file, and their stand-ins in each', () => {
  const imports = {
    'main.ts': [['late-module:/reader.ts']],
    'late-module:/reader.ts': [['reader.ts', 'require-call']],
    'reader.ts': [['main.ts'], ['late-module:/reader.ts']],
  } satisfies Record<string, readonly Edge[]>
  expect(parts(imports)).toEqual({
    start: ['late-module:/reader.ts', 'main.ts'],
    late: ['reader.ts'],
    shared: ['main.ts'],
  })
})

test('zod is in the second file, and its own modules are with it', () => {
  const imports = {
    'main.ts': [['node_modules/zod/index.js']],
    'node_modules/zod/index.js': [['node_modules/zod/core.js']],
    'node_modules/zod/core.js': [],
  } satisfies Record<string, readonly Edge[]>
  expect(parts(imports)).toEqual({ start: ['main.ts'], late: ['node_modules/zod/index.js'], shared: [] })
})

test('what is loaded late, and yet needed by most starts, is in the first file', () => {
  const imports = {
    'main.ts': [
      ['serve.ts', 'dynamic-import'],
      ['pages.ts', 'dynamic-import'],
    ],
    'serve.ts': [['port.ts']],
    'port.ts': [],
    'pages.ts': [],
  } satisfies Record<string, readonly Edge[]>
  expect(parts(imports, ['serve.ts'])).toEqual({
    start: ['main.ts', 'port.ts', 'serve.ts'],
    late: ['pages.ts'],
    shared: [],
  })
})

test('what is named as needed by most starts is there', () => {
  expect(atStart.filter((path) => !existsSync(path))).toEqual([])
})

test('a module of which there would be two is refused, but for those that each file has of its own', () => {
  const inputs = (...paths: string[]) => modules(Object.fromEntries(paths.map((path) => [path, []])))
  const files = [inputs('a.ts', 'timers.mjs'), inputs('b.ts', 'timers.mjs', 'late-module:/a.ts')] as const
  expect(() => refuseTwins(files, ['timers.mjs'])).not.toThrow()
  expect(() => refuseTwins(files, [])).toThrow('in both files of the program: timers.mjs')
})

/** Bundles `main.js` of some modules, those of `elsewhere` being in the other file, and runs it. */
async function runs(texts: Readonly<Record<string, string>>, elsewhere: readonly string[]) {
  const root = aFolder()
  for (const [path, text] of Object.entries({ 'package.json': '{"type":"module"}', ...texts })) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
  const { outputFiles } = await build({
    absWorkingDir: root,
    entryPoints: ['main.js'],
    bundle: true,
    format: 'cjs',
    platform: 'node',
    write: false,
    logLevel: 'silent',
    plugins: [fromOtherFile(root, new Set(elsewhere))],
  })
  const module: { exports: Record<string, unknown> } = { exports: {} }
  const load = (name: string) => ({ name: `${name} of the other file` })
  const require = (path: string) => (path === './program.cjs' ? { load } : null)
  runInNewContext(outputFiles[0]?.text ?? '', { module, exports: module.exports, require })
  return module.exports.names
}

test('modules that are in the other file come from there, however they are asked for, and others do not', async () => {
  const texts = {
    'main.js': `
      import { name } from './lib/a.mjs'
      import { name as packaged } from 'packaged'
      import { name as own } from './own.js'
      export const names = [name, packaged, own, require('./lib/b.js').name]`,
    'lib/a.mjs': 'export const name = "a"',
    'lib/b.js': 'export const name = "b"',
    'own.js': 'export const name = "own"',
    'node_modules/packaged/package.json': '{}',
    'node_modules/packaged/index.js': 'exports.name = "packaged"',
  }
  expect(await runs(texts, [])).toEqual(['a', 'packaged', 'own', 'b'])
  expect(await runs(texts, ['lib/a.mjs', 'lib/b.js', 'node_modules/packaged/index.js'])).toEqual([
    'lib/a.mjs of the other file',
    'node_modules/packaged/index.js of the other file',
    'own',
    'lib/b.js of the other file',
  ])
})

test('packages of one name in several places, and for both kinds of import, are told apart', async () => {
  const versions = (name: string) => ({
    [`${name}/package.json`]: '{"exports":{"import":"./index.mjs","require":"./index.cjs"}}',
    [`${name}/index.mjs`]: `export const name = "${name}, imported"`,
    [`${name}/index.cjs`]: `exports.name = "${name}, required"`,
  })
  const texts = {
    'main.js': `
      import { name } from 'packaged'
      import { names as inner } from './inner/index.js'
      export const names = [name, require('packaged').name, ...inner]`,
    'inner/index.js': `
      import { name } from 'packaged'
      export const names = [name, require('packaged').name]`,
    ...versions('node_modules/packaged'),
    ...versions('inner/node_modules/packaged'),
  }
  expect(await runs(texts, ['inner/node_modules/packaged/index.cjs'])).toEqual([
    'node_modules/packaged, imported',
    'node_modules/packaged, required',
    'inner/node_modules/packaged, imported',
    'inner/node_modules/packaged/index.cjs of the other file',
  ])
})

test.each([
  "import a from './a.js'; export const names = a",
  "import a, { name } from './a.js'; export const names = [a, name]",
  "import { name, default as a } from './a.js'; export const names = [a, name]",
  "export { default as names } from './a.js'",
  "// what we import here\nimport a from './a.js'; export const names = a",
  "import a /* all of it */ from './a.js'; export const names = a",
])('the default export of a module in the other file is not to be had: %s', async (main) => {
  const texts = { 'main.js': main, 'a.js': 'export const name = "a"; export default 1' }
  await expect(runs(texts, ['a.js'])).rejects.toThrow('./a.js is in the other file of the program')
})

test('what is imported by name stands beside default imports of others', async () => {
  const texts = {
    'main.js': "import b from './b.js'\nimport { name } from './a.js'\nexport const names = [b, name]",
    'a.js': 'export const name = "a"',
    'b.js': 'export default "b"',
  }
  expect(await runs(texts, ['a.js'])).toEqual(['b', 'a.js of the other file'])
})

import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { build } from 'esbuild'
import { assetTexts } from './asset-texts.mjs'
import { bakedDefaults } from './baked-defaults.mjs'
import { englishOnly } from './english-only.mjs'
import { installedSqlite } from './installed-sqlite.mjs'
import { lateBuiltins } from './late-builtins.mjs'
import { fetchClasses, lateFetch } from './late-fetch.mjs'
import { lateModules } from './late-modules.mjs'
import { loadedBeside, loadedOutside, partsBeside, partsOutside } from './late-parts.mjs'
import { lateUndici } from './late-undici.mjs'
import { libraryBeside } from './library-beside.mjs'
import { quickHttp } from './quick-http.mjs'
import { shippedBinary } from './sqlite-binary.mjs'
import { divided, fromOtherFile, refuseTwins } from './two-files.mjs'

/** What the library loads late; see late-parts.mjs. */
const lateParts = { engine: 'src/testing/engine.ts', 'http-client': 'src/testing/http-client.ts' }

/** What no start of the program or of the library asks for. */
const laterParts = new Set(['src/conform/config/config-schema.ts'])

/** The same of `conform`. */
const conformParts = { 'conform-config': 'src/conform/config/config-schema.ts' }

/**
 * Bundles the program and the library, with all they need but Node itself.
 * @param {string} root of the checkout
 * @param {string} outdir
 * @param {{ forPackage: boolean }} options without: better-sqlite3 stays where it is installed, because tests get at the
 *   program by way of it
 * @returns what became of which input
 */
export async function bundleModules(root, outdir, { forPackage }) {
  const hasLibrary = existsSync(join(root, 'src', 'index.ts'))
  const program = await bundleProgram(root, outdir, { hasLibrary, forPackage })
  return hasLibrary ? [...program, ...(await bundleLibrary(root, outdir, { forPackage }))] : program
}

/** Bundles `cli.js`, all that is loaded late, and `program.cjs`, which loads that. */
async function bundleProgram(root, outdir, { hasLibrary, forPackage }) {
  const { 'http-client': httpClient, ...engine } = lateParts
  const main = { cli: 'src/cli/main.ts', ...(hasLibrary && { ...engine, ...conformParts }) }
  const bundles = await bundleInTwo(root, outdir, { parts: main, forPackage })
  // By itself, because a start can do without: see late-undici.mjs.
  const sending = { 'http-client': httpClient, undici: 'node_modules/undici/index.js' }
  if (hasLibrary) bundles.push(await bundleParts(root, outdir, { parts: sending, forPackage }))
  const files = bundles.flatMap(({ parts, file }) => Object.keys(parts).map((name) => [name, file]))
  await build({
    ...commonJsModules(root, outdir, { forPackage }),
    inject: [],
    entryPoints: { program: 'tools/entry/program.cjs' },
    define: { BUNDLES: JSON.stringify(Object.fromEntries(files)) },
  })
  await build({
    ...modules(root, outdir, { forPackage }),
    inject: [],
    banner: {},
    entryPoints: { cli: 'tools/entry/cli.mjs' },
  })
  return bundles.map(({ metafile }) => metafile)
}

/** Bundles parts into two files: what most starts need, and the rest. */
async function bundleInTwo(root, outdir, { parts, forPackage }) {
  const inject = [...ownGlobals(root), join(root, fetchClasses)]
  const { metafile: whole } = await bundled(root, outdir, {
    parts,
    forPackage,
    more: { inject, write: false },
  })
  const { start, late, shared } = divided(
    whole,
    Object.values(parts).filter((path) => !laterParts.has(path)),
  )
  // The second file's globals are the first one's. esbuild does not tell who has imported what it has injected.
  shared.add(fetchClasses)
  const named = (paths) => Object.fromEntries([...paths].map((path) => [path, path]))
  const first = Object.entries(parts).filter(([, path]) => start.has(path))
  const second = Object.entries(parts).filter(([, path]) => !start.has(path))
  const files = [
    await bundleParts(root, outdir, {
      parts: { ...Object.fromEntries(first), ...named(shared) },
      forPackage,
      more: { inject },
      plugins: [fromOtherFile(root, late)],
    }),
    await bundleParts(root, outdir, {
      parts: { ...Object.fromEntries(second), ...named(late) },
      forPackage,
      more: { inject: [...ownGlobals(root), join(root, 'tools', 'entry', 'fetch-classes-of-start.mjs')] },
      plugins: [fromOtherFile(root, shared)],
    }),
  ]
  refuseTwins(
    files.map(({ metafile }) => metafile),
    ['<stdin>', 'tools/entry/real-time.mjs', 'tools/entry/web-classes.mjs'],
  )
  return files
}

/** Bundles the library and `conform` as ES modules. */
async function bundleLibrary(root, outdir, { forPackage }) {
  const library = await build({
    ...modules(root, outdir, { forPackage }),
    entryPoints: { library: 'src/index.ts', 'require-node': 'tools/entry/require-node.mjs' },
    plugins: [quickHttp(), partsBeside(root, lateParts)],
  })
  const conform = await build({
    ...modules(root, outdir, { forPackage }),
    entryPoints: { conformance: 'src/conform/index.ts' },
    plugins: [
      quickHttp(),
      libraryBeside(root, './index.js'),
      lateUndici(loadedBeside),
      partsBeside(root, conformParts),
    ],
  })
  // In two files each: modules are evaluated in the order of their imports, and bundling would change that.
  for (const [entry, file] of [
    ['index', 'library'],
    ['conform', 'conformance'],
  ])
    writeFileSync(join(outdir, `${entry}.js`), `import './require-node.js'\nexport * from './${file}.js'\n`)
  return [library.metafile, conform.metafile]
}

/** A bundle is a function, as Node makes one of each CommonJS module. Put around it at a start, it would copy the text: the
 *  process would be larger by 4 MB. */
const wrapper = '(function (exports, require, module, __filename, __dirname) {'

/**
 * Bundles parts into one file. What a part does not need yet is in the file, but not evaluated.
 * @param {Record<string, string>} parts their sources in the checkout, by the names under which they are loaded
 * @param {import('esbuild').BuildOptions} more options of esbuild
 */
async function bundleParts(root, outdir, options) {
  const { metafile } = await bundled(root, outdir, options)
  const path = Object.keys(metafile.outputs).find((name) => name.endsWith('.cjs'))
  toAscii(join(root, path))
  return { parts: options.parts, file: basename(path), metafile }
}

function bundled(root, outdir, { parts, forPackage, more = {}, plugins = [] }) {
  const loaders = Object.entries(parts).map(([name, path]) => `'${name}': () => require('./${path}'),`)
  return build({
    ...commonJsModules(root, outdir, { forPackage }),
    ...more,
    stdin: { contents: `module.exports = { ${loaders.join('\n')} }`, resolveDir: root },
    // A quarter less to read at each start, and to keep in memory. Names stay, and lines: a stack trace can be read.
    minifyWhitespace: true,
    lineLimit: 120,
    // A program that runs keeps the file of its build, and the cache of its code goes by the name.
    entryNames: 'bundle-[hash]',
    define: { 'import.meta.url': '__moduleUrl' },
    banner: { js: `${wrapper}const __moduleUrl = require('node:url').pathToFileURL(__filename).href;` },
    footer: { js: '})' },
    plugins: [
      englishOnly(),
      bakedDefaults(root),
      lateFetch(root),
      lateModules(root),
      lateUndici(loadedBeside),
      assetTexts(root),
      libraryBeside(root, './index.js'),
      forPackage ? shippedBinary(root) : installedSqlite(),
      lateBuiltins(),
      // After those that put something in the place of an import, which asks for the file itself.
      ...plugins,
    ],
  })
}

/** Writes in escapes what esbuild leaves as it is, in regular expressions and comments. */
function toAscii(file) {
  const escaped = (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`
  writeFileSync(file, readFileSync(file, 'utf8').replaceAll(/[^\0-\x7f]/g, escaped))
}

/** Bundles the library and `conform` once more, each in one file for CommonJS. */
export async function bundleCommonJs(root, outdir) {
  const library = await build({
    ...commonJs(root, outdir),
    entryPoints: { index: 'tools/entry/library.mjs' },
    plugins: [partsOutside(root, lateParts)],
  })
  const conform = await build({
    ...commonJs(root, outdir),
    entryPoints: { conform: 'tools/entry/conform.mjs' },
    plugins: [
      libraryBeside(root, './index.cjs'),
      lateUndici(loadedOutside),
      partsOutside(root, conformParts),
    ],
  })
  return [library.metafile, conform.metafile]
}

const commonJs = (root, outdir) => ({
  ...common(root, outdir),
  outExtension: { '.js': '.cjs' },
  format: 'cjs',
})

const commonJsModules = (root, outdir, { forPackage }) => ({
  ...common(root, outdir),
  outExtension: { '.js': '.cjs' },
  format: 'cjs',
  sourcemap: forPackage ? false : 'linked',
})

const modules = (root, outdir, { forPackage }) => ({
  ...common(root, outdir),
  format: 'esm',
  sourcemap: forPackage ? false : 'linked',
  // CommonJS dependencies call require() for Node's own modules.
  banner: {
    js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);",
  },
})

const ownGlobals = (root) =>
  ['real-time.mjs', 'web-classes.mjs'].map((name) => join(root, 'tools', 'entry', name))

const common = (root, outdir) => ({
  absWorkingDir: root,
  outdir,
  bundle: true,
  inject: ownGlobals(root),
  platform: 'node',
  // Older than what is supported: the library must get as far as saying so.
  target: 'node18',
  metafile: true,
  logLevel: 'warning',
})

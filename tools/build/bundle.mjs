import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'esbuild'
import { assetTexts } from './asset-texts.mjs'
import { englishOnly } from './english-only.mjs'
import { partsBeside, partsOutside } from './late-parts.mjs'
import { libraryBeside } from './library-beside.mjs'
import { quickHttp } from './quick-http.mjs'
import { shippedBinary } from './sqlite-binary.mjs'

/** What the library loads late; see late-parts.mjs. */
const lateParts = { engine: 'src/testing/engine.ts', 'http-client': 'src/testing/http-client.ts' }

/** The same of `conform`. */
const conformParts = { 'conform-config': 'src/conform/config-schema.ts' }

/**
 * Bundles the program and the library as ES modules, with all they need but Node itself.
 * @param {string} root of the checkout
 * @param {string} outdir
 * @param {{ forPackage: boolean }} options without: better-sqlite3 stays where it is installed, because tests get at the
 *   program by way of it
 * @returns what became of which input
 */
export async function bundleModules(root, outdir, { forPackage }) {
  const hasLibrary = existsSync(join(root, 'src', 'index.ts'))
  const program = await build({
    ...modules(root, outdir, { forPackage }),
    // `conform` stands beside the engine, so that what both read data with is there once.
    entryPoints: {
      cli: 'tools/entry/cli.mjs',
      ...(hasLibrary && { ...lateParts, ...conformParts, conformance: 'src/conform/index.ts' }),
    },
    // Flat, so that whatever file a module lands in, `..` is the package.
    chunkNames: '[name]-[hash]',
    splitting: true,
    external: forPackage ? [] : ['better-sqlite3'],
    plugins: [
      quickHttp(),
      englishOnly(),
      assetTexts(root),
      libraryBeside(root, './index.js'),
      ...(forPackage ? [shippedBinary(root)] : []),
    ],
  })
  if (!hasLibrary) return [program.metafile]
  // By itself: what it shared with the program would be cut into many small files.
  const library = await build({
    ...modules(root, outdir, { forPackage }),
    entryPoints: { library: 'src/index.ts', 'require-node': 'tools/entry/require-node.mjs' },
    plugins: [quickHttp(), partsBeside(root, lateParts)],
  })
  // In two files each: modules are evaluated in the order of their imports, and bundling would change that.
  for (const [entry, file] of [
    ['index', 'library'],
    ['conform', 'conformance'],
  ])
    writeFileSync(join(outdir, `${entry}.js`), `import './require-node.js'\nexport * from './${file}.js'\n`)
  return [program.metafile, library.metafile]
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
    plugins: [libraryBeside(root, './index.cjs'), partsOutside(root, conformParts)],
  })
  return [library.metafile, conform.metafile]
}

const commonJs = (root, outdir) => ({
  ...common(root, outdir),
  outExtension: { '.js': '.cjs' },
  format: 'cjs',
  inject: [realTime(root), join(root, 'tools', 'entry', 'outside-globals.mjs')],
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

const realTime = (root) => join(root, 'tools', 'entry', 'real-time.mjs')

const common = (root, outdir) => ({
  absWorkingDir: root,
  outdir,
  bundle: true,
  inject: [realTime(root)],
  platform: 'node',
  // Older than what is supported: the library must get as far as saying so.
  target: 'node18',
  metafile: true,
  logLevel: 'warning',
})

import { existsSync, writeFileSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { build } from 'esbuild'
import { assetTexts } from './asset-texts.mjs'
import { shippedBinary } from './sqlite-binary.mjs'

/** What the library imports late, by the names of the files in which the CommonJS library finds it. */
const lateParts = {
  engine: 'src/testing/engine.ts',
  'http-client': 'src/testing/http-client.ts',
  'webhook-reader': 'src/testing/inbox/webhook-reader.ts',
  learn: 'src/learn/work.ts',
  'conform-config': 'src/conform/config/config-schema.ts',
  'conform-signing': 'src/conform/acts/signing.ts',
  'conform-fetch': 'src/conform/application/fetch.ts',
  'conform-story': 'src/conform/stories/read-story-file.ts',
}

/** What `conform` imports late because it is seldom used. In the CommonJS library it stays in the same file: it has to
 *  know the errors of the library of its sandbox. */
const lateWithin = ['src/conform/explore/explore.ts', 'src/conform/stories/play-stories.ts']

/**
 * Bundles the program and the library as ES modules, with all they need but Node itself.
 * @param {string} root of the checkout
 * @param {string} outdir
 * @param {{ forPackage: boolean }} options without: better-sqlite3 stays where it is installed
 * @returns what became of which input
 */
export async function bundleModules(root, outdir, { forPackage }) {
  const parts = {
    main: 'src/cli/main.ts',
    library: 'src/index.ts',
    conformance: 'src/conform/index.ts',
    ...lateParts,
  }
  const { metafile } = await build({
    ...modules(root, outdir),
    splitting: true,
    sourcemap: forPackage ? false : 'linked',
    // Saves 5 %, and lines and names in stack traces stay.
    minifySyntax: forPackage,
    entryPoints: Object.fromEntries(Object.entries(parts).filter(([, path]) => existsSync(join(root, path)))),
    ...(forPackage ? {} : { external: ['better-sqlite3'] }),
    plugins: [requiredOfNode, withoutMocks, assetTexts(root), ...(forPackage ? [shippedBinary(root)] : [])],
  })
  // Apart, because a Node that is too old must be told so before anything else is linked.
  await build({
    ...modules(root, outdir),
    inject: [],
    plugins: [requiredOfNode],
    entryPoints: { cli: 'tools/entry/cli.mjs', 'require-node': 'tools/entry/require-node.mjs' },
  })
  // Modules are evaluated in the order of their imports, and bundling would change that.
  for (const [entry, file] of [
    ['index', 'library'],
    ['conform', 'conformance'],
  ])
    writeFileSync(join(outdir, `${entry}.js`), `import './require-node.js'\nexport * from './${file}.js'\n`)
  return metafile
}

/** Has Node's own modules required. An import of one asks for all that it exports, and for some of that Node loads much more:
 *  `process.stdin`, `fs.promises`, a whole HTTP client. */
const requiredOfNode = {
  name: 'required-of-node',
  setup({ onLoad, onResolve }) {
    onResolve({ filter: /^node:(crypto|fs|http|process|util)$/ }, ({ path, kind }) =>
      kind === 'import-statement' ? { path, namespace: 'required' } : null,
    )
    onLoad({ filter: /./, namespace: 'required' }, ({ path }) => ({
      contents: `module.exports = require(${JSON.stringify(path)})`,
    }))
  },
}

/** Leaves out what undici has for tests of its users, 76 kB. Its index names it, and nothing here uses it. */
const withoutMocks = {
  name: 'without-mocks',
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]undici[\\/]lib[\\/]mock[\\/]/ }, () => ({ contents: 'module.exports = {}' }))
  },
}

/** Bundles the library and `conform` once more, each in one file for CommonJS: Jest knows no import(). */
export async function bundleCommonJs(root, outdir) {
  const { metafile } = await build({
    ...common(root, outdir),
    format: 'cjs',
    outExtension: { '.js': '.cjs' },
    entryPoints: { index: 'tools/entry/library.mjs', conform: 'tools/entry/conform.mjs' },
    plugins: [partsOutside(root)],
  })
  return metafile
}

const modules = (root, outdir) => ({
  ...common(root, outdir),
  format: 'esm',
  // CommonJS dependencies call require() for Node's own modules.
  banner: {
    js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);",
  },
})

const common = (root, outdir) => ({
  absWorkingDir: root,
  outdir,
  bundle: true,
  inject: ['real-time.mjs', 'web-classes.mjs', 'fetch-classes.mjs'].map((name) =>
    join(root, 'tools', 'entry', name),
  ),
  define: {
    ...Object.fromEntries(['Headers', 'Request', 'Response'].map((name) => [name, `fetchClasses.${name}`])),
    ...Object.fromEntries(
      ['Headers', 'CloseEvent', 'ErrorEvent'].map((name) => [`globalThis.${name}`, `fetchClasses.${name}`]),
    ),
    global: 'fetchClasses',
    // As in Node itself: without undici's second, experimental HTTP parser.
    esbuildDetection: '1',
  },
  alias: { 'node:http2': './tools/entry/node-http2.cjs' },
  platform: 'node',
  // Older than what is supported: the library must get as far as saying so.
  target: 'node18',
  metafile: true,
  logLevel: 'warning',
})

/**
 * Has CommonJS load late parts past any sandbox. Jest runs each test file in one that knows no import(), swaps timers, and
 * evaluates every file anew. Outside, the engine is loaded once per process, and nothing that tests do to their globals
 * touches it. `conform` takes the library from the file beside it, so that there is one class of each error.
 */
function partsOutside(root) {
  const library = join(root, 'src', 'index.ts')
  const within = lateWithin.map((path) => join(root, path))
  const partAt = new Map(Object.entries(lateParts).map(([name, path]) => [join(root, path), name]))
  return {
    name: 'parts-outside',
    setup({ onLoad, onResolve }) {
      onResolve({ filter: /\.ts$/ }, ({ path, kind, importer, resolveDir }) => {
        const file = resolve(resolveDir, path)
        if (kind === 'dynamic-import' && !within.includes(file)) {
          const part = partAt.get(file)
          if (part === undefined)
            throw new Error(`${path}, which ${importer} loads late, is no part of its own`)
          return { path: part, namespace: 'outside' }
        }
        return file === library && basename(importer) !== 'library.mjs'
          ? { path: './index.cjs', external: true }
          : null
      })
      onLoad({ filter: /./, namespace: 'outside' }, ({ path }) => ({ contents: loadedOutside(path) }))
    },
  }
}

/** `node:vm` is Node's own in every sandbox, and runs code where the process began: there, `process` and all it leads to
 *  are Node's own too. */
const loadedOutside = (part) =>
  `const process = require('node:vm').runInThisContext('process')
  module.exports = process.getBuiltinModule('node:module').createRequire(__filename)('./${part}.js')`

import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'esbuild'
import { assetTexts } from './asset-texts.mjs'
import { engineOutside } from './engine-outside.mjs'
import { shippedBinary } from './sqlite-binary.mjs'

/**
 * Bundles the program and the library as ES modules, with all they need but Node itself.
 * @param {string} root of the checkout
 * @param {string} outdir
 * @param {{ forPackage: boolean }} options without: better-sqlite3 stays where it is installed, because tests get at the
 *   program by way of it
 */
export async function bundleModules(root, outdir, { forPackage }) {
  const hasLibrary = existsSync(join(root, 'src', 'index.ts'))
  // In two files: modules are evaluated in the order of their imports, and bundling would change that.
  const library = { library: 'src/index.ts', 'require-node': 'tools/entry/require-node.mjs' }
  const { metafile } = await build({
    ...common(root, outdir),
    entryPoints: { cli: 'tools/entry/cli.mjs', ...(hasLibrary && library) },
    // Flat, so that whatever file a module lands in, `..` is the package.
    chunkNames: '[name]-[hash]',
    splitting: true,
    format: 'esm',
    sourcemap: forPackage ? false : 'linked',
    external: forPackage ? [] : ['better-sqlite3'],
    // CommonJS dependencies call require() for Node's own modules.
    banner: {
      js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);",
    },
    plugins: [assetTexts(root), ...(forPackage ? [shippedBinary(root)] : [])],
  })
  if (hasLibrary) {
    writeFileSync(join(outdir, 'index.js'), "import './require-node.js'\nexport * from './library.js'\n")
  }
  return metafile
}

/** Bundles the library once more, in one file for CommonJS. @param modules what `bundleModules` made */
export async function bundleCommonJs(root, outdir, modules) {
  const { metafile } = await build({
    ...common(root, outdir),
    entryPoints: { index: 'tools/entry/library.mjs' },
    outExtension: { '.js': '.cjs' },
    format: 'cjs',
    plugins: [engineOutside(modules)],
  })
  return metafile
}

const common = (root, outdir) => ({
  absWorkingDir: root,
  outdir,
  bundle: true,
  platform: 'node',
  // Older than what is supported: the library must get as far as saying so.
  target: 'node18',
  metafile: true,
  logLevel: 'warning',
})

// Builds dist/. With --types: as published, with type declarations and nothing of earlier builds.

import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { listSources } from './launch/build-stamp.mjs'
import { isAlive } from './launch/parent.mjs'
import { publish } from './launch/publish.mjs'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const stage = join(root, `.build-${process.pid}`)
const forPackage = process.argv.includes('--types')

removeAbandonedStages()
// Before anything is read: a file saved while the build runs must make it stale.
const sources = listSources(root)
try {
  await bundle()
  if (forPackage) declareTypes()
  publish(stage, join(root, 'dist'), { sources, keepRetired: !forPackage })
} catch (error) {
  // esbuild has already shown its own messages.
  if (!error.errors) console.error(error.message)
  process.exitCode = 1
} finally {
  rmSync(stage, { recursive: true, force: true })
}

function bundle() {
  const library = join(root, 'src', 'index.ts')
  return build({
    absWorkingDir: root,
    entryPoints: { cli: 'tools/cli-entry.mjs', ...(existsSync(library) && { index: library }) },
    outdir: stage,
    // Flat, so that whatever file a module lands in, `..` is the package.
    chunkNames: '[name]-[hash]',
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node22',
    sourcemap: 'linked',
    // A native addon finds its binary beside its own files.
    external: ['better-sqlite3'],
    // CommonJS dependencies call require() for Node's own modules.
    banner: {
      js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);",
    },
    plugins: [assetTexts()],
    logLevel: 'warning',
  })
}

/** Takes what pages load into the bundle: see the module that this stands in for. */
function assetTexts() {
  return {
    name: 'asset-texts',
    setup({ onLoad }) {
      onLoad({ filter: /[\\/]pages[\\/]asset-texts\.ts$/ }, () => {
        const folder = join(root, 'src', 'pages', 'assets')
        const own = readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), 'utf8')])
        const htmx = createRequire(import.meta.url).resolve('htmx.org/dist/htmx.esm.min.js')
        const texts = { ...Object.fromEntries(own), 'htmx.js': readFileSync(htmx, 'utf8') }
        return { contents: `export const assetTexts = async () => (${JSON.stringify(texts)})`, loader: 'js' }
      })
    },
  }
}

function declareTypes() {
  const tsc = join(root, 'node_modules', 'typescript', 'bin', 'tsc')
  const args = [tsc, '-p', 'tsconfig.build.json', '--outDir', join(stage, 'types')]
  const { status } = spawnSync(process.execPath, args, { cwd: root, stdio: 'inherit' })
  if (status !== 0) throw new Error('The type declarations could not be made.')
}

function removeAbandonedStages() {
  for (const name of readdirSync(root)) {
    const pid = Number(/^\.build-(\d+)$/.exec(name)?.[1])
    if (pid && !isAlive(pid)) rmSync(join(root, name), { recursive: true, force: true })
  }
}

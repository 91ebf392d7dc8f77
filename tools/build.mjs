// Builds dist/. With --package: as published, with the library for CommonJS, types, binaries and licences; npm packs nothing
// of earlier builds. Without: the program, and the library as ES modules, in a second or two.

import { readdirSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { bundleModules } from './build/bundle.mjs'
import { listSources } from './launch/build-stamp.mjs'
import { isAlive } from './launch/parent.mjs'
import { publish } from './launch/publish.mjs'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const stage = join(root, `.build-${process.pid}`)
const forPackage = process.argv.includes('--package')

removeAbandonedStages()
// Before anything is read: a file saved while the build runs must make it stale.
const sources = listSources(root)
try {
  const modules = await bundleModules(root, stage, { forPackage })
  // Loaded late: it brings a compiler along.
  if (forPackage) await (await import('./build/package.mjs')).completePackage(root, stage, modules)
  publish(stage, join(root, 'dist'), { sources, forPackage })
} catch (error) {
  // esbuild has already shown its own messages.
  if (!error.errors) console.error(error.message)
  process.exitCode = 1
} finally {
  rmSync(stage, { recursive: true, force: true })
}

function removeAbandonedStages() {
  for (const name of readdirSync(root)) {
    const pid = Number(/^\.build-(\d+)$/.exec(name)?.[1])
    if (pid && !isAlive(pid)) rmSync(join(root, name), { recursive: true, force: true })
  }
}

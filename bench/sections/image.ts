import { cpSync, readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { bundleModules } from '../../tools/build/bundle.mjs'
import { completePackage } from '../../tools/build/package.mjs'
import type { Section } from '../frame/section.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** The size that the Dockerfile adds to its base, by file sizes: no container engine is needed. */
export const image: Section = {
  name: 'image',
  async run(bench) {
    const folder = join(bench.folder, 'image')
    const dist = join(folder, 'dist')
    await completePackage(root, dist, await bundleModules(root, dist, { forPackage: true }))
    // The image keeps the binary of its own platform.
    for (const name of readdirSync(join(dist, 'prebuilds')))
      if (name !== 'linux-x64.node') rmSync(join(dist, 'prebuilds', name))
    for (const name of ['LICENSE', 'package.json', 'fixtures', 'scenarios'])
      cpSync(join(root, name), join(folder, name), { recursive: true })
    return [{ goal: 'image, added to its base', values: [sizeOf(folder) / 1e6] }]
  },
}

const sizeOf = (path: string): number =>
  statSync(path).isDirectory()
    ? readdirSync(path).reduce((sum, name) => sum + sizeOf(join(path, name)), 0)
    : statSync(path).size

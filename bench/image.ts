import { cpSync, readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { bundleModules } from '../tools/build/bundle.mjs'
import { completePackage } from '../tools/build/package.mjs'
import type { Section } from './frame/section.ts'

const root = fileURLToPath(new URL('..', import.meta.url))

/** How much the image adds to its base: what the Dockerfile copies, without a container engine. */
export const image: Section = {
  name: 'image',
  goal: 8,
  runs: 'full',
  async run(bench) {
    bench.say('builds the package')
    const folder = join(bench.folder, 'image')
    const dist = join(folder, 'dist')
    await completePackage(root, dist, await bundleModules(root, dist, { forPackage: true }))
    // It keeps the binary of its own platform.
    for (const name of readdirSync(join(dist, 'prebuilds')))
      if (name !== 'linux-x64.node') rmSync(join(dist, 'prebuilds', name))
    for (const name of ['LICENSE', 'package.json', 'fixtures', 'scenarios'])
      cpSync(join(root, name), join(folder, name), { recursive: true })
    const value = sizeOf(folder) / 1e6
    return [
      {
        name: 'image, added to its base',
        value,
        unit: 'MB',
        spread: null,
        goal: { aim: 30, better: 'lower' },
      },
    ]
  },
}

const sizeOf = (path: string): number =>
  statSync(path).isDirectory()
    ? readdirSync(path).reduce((sum, name) => sum + sizeOf(join(path, name)), 0)
    : statSync(path).size

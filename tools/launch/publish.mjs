import {
  chmodSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { readBuildStamp } from './build-stamp.mjs'

const keepRetiredMs = 24 * 60 * 60 * 1000

/**
 * Moves a finished build into `dist` file by file, for no system can replace a folder in one step. Chunks
 * are named after their contents, so they can lie beside the earlier ones; the entries, each replaced in one
 * step, come after what they load. So at every moment `dist/cli.js` starts either the earlier program or the
 * new one, and a program that runs from an earlier build still finds the chunks it has yet to load.
 * @param {string} stage folder of the finished build, emptied by this
 * @param {string} dist
 * @param {{ sources: string, forPackage: boolean }} options `sources` from before the build; a build for the
 *   package has npm leave out what is of earlier ones, and is not what a checkout starts
 */
export function publish(stage, dist, { sources, forPackage }) {
  const files = readdirSync(stage).sort((a, b) => rank(a) - rank(b))
  const earlier = readBuildStamp(dist)
  mkdirSync(dist, { recursive: true })
  for (const name of files) {
    if (statSync(join(stage, name)).isDirectory()) rmSync(join(dist, name), { recursive: true, force: true })
    if (name === 'cli.js') chmodSync(join(stage, name), 0o755)
    renameSync(join(stage, name), join(dist, name))
  }
  const retired = retire(dist, { current: new Set(files), before: earlier?.files })
  if (forPackage && retired.length > 0)
    writeFileSync(join(dist, '.npmignore'), retired.map((name) => `/${name}\n`).join(''))
  writeFileSync(join(stage, 'stamp'), JSON.stringify({ sources: forPackage ? null : sources, files }))
  renameSync(join(stage, 'stamp'), join(dist, '.build-stamp'))
}

const isChunk = (name) => /-[0-9A-Z]{8}\.c?js(\.map)?$/.test(name)
const rank = (name) => (isChunk(name) ? 0 : 1)

/** Only chunks are loaded late. A file's time of change tells when a later build took its place.
 *  @returns the names of those that are kept */
function retire(dist, { current, before }) {
  const now = Date.now()
  const kept = []
  for (const name of readdirSync(dist)) {
    if (current.has(name) || name === '.build-stamp') continue
    const path = join(dist, name)
    const fresh = !before || before.includes(name)
    if (!isChunk(name) || (!fresh && now - statSync(path).mtimeMs > keepRetiredMs)) {
      rmSync(path, { recursive: true, force: true })
      continue
    }
    if (fresh) utimesSync(path, now / 1000, now / 1000)
    kept.push(name)
  }
  return kept
}

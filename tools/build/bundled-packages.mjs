import { existsSync, readFileSync, realpathSync } from 'node:fs'
import { dirname, join, relative, resolve, sep } from 'node:path'

/** Compiled into the binaries: better-sqlite3 is an addon made with it. */
const compiledIn = ['node-addon-api']

/**
 * The packages of which something was bundled, by name.
 * @param {import('esbuild').Metafile[]} metafiles
 * @returns {{ home: string, manifest: object, integrity: string | undefined }[]} where each is installed, its
 *   `package.json`, and the hash of what was installed from the registry
 */
export function bundledPackages(root, metafiles) {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))
  const used = metafiles
    .flatMap(({ outputs }) => Object.values(outputs).flatMap(usedInputs))
    .filter((path) => path.includes('node_modules/'))
    .map((path) => homeOf(resolve(root, path)))
  // esbuild follows links, and `node_modules` may be one.
  const installed = realpathSync(join(root, 'node_modules'))
  const homes = new Set([...used, ...compiledIn.map((name) => join(installed, name))])
  return [...homes]
    .map((home) => ({
      home,
      manifest: manifestOf(home),
      integrity: packages[`node_modules/${relative(installed, home).split(sep).join('/')}`]?.integrity,
    }))
    .sort((a, b) => nameOf(a).localeCompare(nameOf(b), 'en'))
}

const nameOf = ({ manifest: { name, version } }) => `${name} ${version}`

const usedInputs = ({ inputs }) =>
  Object.entries(inputs).flatMap(([path, { bytesInOutput }]) => (bytesInOutput > 0 ? [path] : []))

/** The folder of the package that a file belongs to; inner package.json files only tell the module format. */
function homeOf(path) {
  let home = dirname(path)
  while (!manifestOf(home)?.version) home = dirname(home)
  return home
}

function manifestOf(home) {
  const path = join(home, 'package.json')
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : null
}

import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { isFile } from './two-files.mjs'

/** Compiled into the binaries: better-sqlite3 is an addon made with it. */
const compiledIn = ['node_modules/node-addon-api']

/**
 * Writes the licence of each package of which something was bundled.
 * @param {import('esbuild').Metafile[]} metafiles
 */
export function writeLicences(root, outdir, metafiles) {
  const inputs = metafiles.flatMap(({ outputs }) => Object.values(outputs).flatMap(usedInputs))
  const used = inputs
    .filter((path) => isFile(path) && path.includes('node_modules/'))
    .map((path) => homeOf(resolve(root, path)))
  const homes = new Set([...used, ...compiledIn.map((path) => join(root, path))])
  const notices = [...homes].map(noticeOf).sort((a, b) => a.title.localeCompare(b.title, 'en'))
  const head = 'What this package contains of others, and their licences.'
  const sections = notices.map(({ title, text }) => `${'-'.repeat(80)}\n${title}\n\n${text.trim()}\n`)
  writeFileSync(join(outdir, 'THIRD-PARTY-LICENSES.txt'), [head, sqlite, ...sections].join('\n\n'))
}

const sqlite = 'SQLite itself (https://sqlite.org), in the binaries, is in the public domain.'

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

function noticeOf(home) {
  const { name, version, license, author, homepage } = manifestOf(home)
  if (!license) throw new Error(`${name} does not say under which licence it is.`)
  const files = readdirSync(home).filter((file) => /^(licen[cs]e|copying|notice)/i.test(file))
  const texts = files.sort().map((file) => readFileSync(join(home, file), 'utf8').trim())
  const by = typeof author === 'string' ? author : (author?.name ?? 'its contributors')
  const none = `Copyright ${by} (${homepage ?? name}). The package comes with no licence text of its own.`
  return { title: `${name} ${version} (${license})`, text: texts.length > 0 ? texts.join('\n\n') : none }
}

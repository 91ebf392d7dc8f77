import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Writes the licence of each package of which something was bundled.
 * @param {ReturnType<import('./bundled-packages.mjs').bundledPackages>} packages
 */
export function writeLicences(outdir, packages) {
  const head = 'What this package contains of others, and their licences.'
  const sections = packages.map(noticeOf)
  writeFileSync(join(outdir, 'THIRD-PARTY-LICENSES.txt'), [head, sqlite, ...sections].join('\n\n'))
}

const sqlite = 'SQLite itself (https://sqlite.org), in the binaries, is in the public domain.'

function noticeOf({ home, manifest: { name, version, license, author, homepage } }) {
  if (!license) throw new Error(`${name} does not say under which licence it is.`)
  const files = readdirSync(home).filter((file) => /^(licen[cs]e|copying|notice)/i.test(file))
  const texts = files.sort().map((file) => readFileSync(join(home, file), 'utf8').trim())
  const by = typeof author === 'string' ? author : (author?.name ?? 'its contributors')
  const none = `Copyright ${by} (${homepage ?? name}). The package comes with no licence text of its own.`
  const text = texts.length > 0 ? texts.join('\n\n') : none
  return `${'-'.repeat(80)}\n${name} ${version} (${license})\n\n${text.trim()}\n`
}

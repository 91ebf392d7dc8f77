// Completes package-lock.json after `npm install`. Run: node tools/complete-lock.mjs
// npm leaves out optional packages of other platforms that it could not look up, and then `npm ci` refuses the file on
// every machine. And it leaves out that a package with binaries need not be compiled, and then `npm ci` compiles it,
// which fails where there is no compiler.

import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

const platform =
  /(aix|android|darwin|freebsd|linux|netbsd|openbsd|openharmony|sunos|win32)-([a-z0-9]+)(?:-(.*))?$/

/** The optional packages that some package of the lock names and the lock does not have, as entries of it. */
export function missingEntries(packages) {
  const missing = {}
  for (const [path, entry] of Object.entries(packages)) {
    for (const [name, version] of Object.entries(entry.optionalDependencies ?? {})) {
      if (packages[`node_modules/${name}`] || packages[`${path}/node_modules/${name}`]) continue
      missing[`node_modules/${name}`] = entryOf(name, version)
    }
  }
  return missing
}

function entryOf(name, version) {
  const [, os, cpu, abi = ''] = platform.exec(name) ?? []
  if (os === undefined) throw new Error(`the name ${name} does not say which platform it is for`)
  const libc = abi.includes('musl') ? 'musl' : abi.includes('gnu') && os === 'linux' ? 'glibc' : null
  return { version, cpu: [cpu], dev: true, ...(libc && { libc: [libc] }), optional: true, os: [os] }
}

/** The entries of packages that bring a build file and ask npm not to use it, with that wish.
 *  @param folder where they are installed */
export function uncompiled(packages, folder) {
  const found = {}
  for (const [path, entry] of Object.entries(packages)) {
    if (path === '' || !existsSync(join(folder, path, 'binding.gyp'))) continue
    const { gypfile } = JSON.parse(readFileSync(join(folder, path, 'package.json'), 'utf8'))
    if (gypfile === false) found[path] = { ...entry, gypfile }
  }
  return found
}

function complete(file) {
  const lock = JSON.parse(readFileSync(file, 'utf8'))
  const folder = dirname(resolve(file))
  const all = { ...lock.packages, ...missingEntries(lock.packages), ...uncompiled(lock.packages, folder) }
  const packages = Object.entries(all)
  const sorted = Object.fromEntries(packages.sort(([a], [b]) => a.localeCompare(b, 'en')))
  writeFileSync(file, `${JSON.stringify({ ...lock, packages: sorted }, null, 2)}\n`)
}

if (process.argv[1] === fileURLToPath(import.meta.url)) complete(process.argv[2] ?? 'package-lock.json')

// Completes a lock file after `npm install`. Run: node tools/complete-lock.mjs [package-lock.json]
// npm leaves out optional packages of other platforms that it could not look up, and then `npm ci` refuses the file on
// every machine. It leaves out the hashes of packages that it did not download, and then `npm ci` installs them
// unverified. And it leaves out that a package with binaries need not be compiled, and then `npm ci` compiles it, which
// fails where there is no compiler.

import { execFile } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

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

/** The entries that npm installs from a registry without verifying them, because the lock has no hash of them. */
export function unverified(packages) {
  return Object.fromEntries(
    Object.entries(packages).filter(
      ([path, { link, inBundle, resolved = '', integrity }]) =>
        path.includes('node_modules/') && !link && !inBundle && !resolved.startsWith('file:') && !integrity,
    ),
  )
}

/** These entries with their hashes, from the registry that npm is configured with.
 *  @param look resolves to the hash of a package such as `zod@4.6.7`
 *  @throws {Error} naming each package whose hash is not to be had */
export async function verified(entries, look) {
  const found = {}
  const failures = []
  for (const [path, entry] of Object.entries(entries)) {
    const wanted = `${entry.name ?? path.split('node_modules/').at(-1)}@${entry.version}`
    try {
      const integrity = await look(wanted)
      if (!/^sha512-/.test(integrity)) throw new Error(`the registry gives ${integrity || 'none'}`)
      const { version, ...rest } = entry
      found[path] = { version, integrity, ...rest }
    } catch (error) {
      failures.push(`${wanted}: ${error.message}`)
    }
  }
  if (failures.length > 0) throw new Error(`No sha512 hash for ${failures.join('\n')}`)
  return found
}

async function complete(file) {
  const lock = JSON.parse(readFileSync(file, 'utf8'))
  const folder = dirname(resolve(file))
  const all = { ...lock.packages, ...missingEntries(lock.packages), ...uncompiled(lock.packages, folder) }
  const hashes = await verified(unverified(all), (wanted) => hashOf(wanted, folder))
  const packages = Object.entries({ ...all, ...hashes })
  const sorted = Object.fromEntries(packages.sort(([a], [b]) => a.localeCompare(b, 'en')))
  writeFileSync(file, `${JSON.stringify({ ...lock, packages: sorted }, null, 2)}\n`)
}

async function hashOf(wanted, cwd) {
  const shell = process.platform === 'win32'
  const { stdout } = await promisify(execFile)('npm', ['view', wanted, 'dist.integrity'], { cwd, shell })
  return stdout.trim()
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await complete(process.argv[2] ?? 'package-lock.json')

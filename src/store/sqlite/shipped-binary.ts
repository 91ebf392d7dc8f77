import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, toNamespacedPath } from 'node:path'
import { fileURLToPath } from 'node:url'
import { SqliteUnavailable } from '../refusals.ts'

/** Finds the binary of better-sqlite3. In the published package this module replaces its own search, which looks in
 *  a folder that is not installed there; see `tools/build/sqlite-binary.mjs`. */
export function getBinding(): unknown {
  binding ??= loadBinary(join(dirname(fileURLToPath(import.meta.url)), 'prebuilds'), thisMachine())
  return binding
}

let binding: unknown

/** The facts about a machine that decide which compiled binary of better-sqlite3 runs there. */
export interface Machine {
  readonly platform: string
  readonly arch: string
  readonly musl: boolean
}

/** Loads the binary for a machine out of a folder with one for each.
 *  @throws {SqliteUnavailable} if there is none, or if it does not run here */
export function loadBinary(folder: string, machine: Machine): unknown {
  const system = `${machine.platform}${machine.musl ? ' (musl)' : ''} ${machine.arch}`
  const file = join(folder, binaryName(machine))
  if (!existsSync(file)) {
    throw new SqliteUnavailable(
      `This package has no SQLite for ${system}: it supports Linux, macOS and Windows, each on x64 and arm64.`,
    )
  }
  const loaded = { exports: {} }
  try {
    // Unlike require(), this never returns a module that an earlier sandbox of the same process has set up.
    process.dlopen(loaded, toNamespacedPath(file))
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new SqliteUnavailable(`SQLite cannot be loaded on this system (${system}): ${reason}`)
  }
  return loaded.exports
}

const binaryName = ({ platform, arch, musl }: Machine) => `${platform}${musl ? 'musl' : ''}-${arch}.node`

function thisMachine(): Machine {
  const { platform, arch } = process
  return { platform, arch, musl: platform === 'linux' && runsOnMusl(memoryMap()) }
}

/** Whether the C library of a Linux process is musl, by the loader in its memory map.
 *  @param map contents of `/proc/self/maps`; empty if it cannot be read */
export function runsOnMusl(map: string): boolean {
  if (/\/ld-musl-[^/\s]*\.so/.test(map)) return true
  if (/\/(ld-linux[^/\s]*|libc)\.so\.\d/.test(map)) return false
  // Slower, and only without the map: the report lists every library.
  const { header }: { header?: { glibcVersionRuntime?: string } } = Object(process.report.getReport())
  return header?.glibcVersionRuntime === undefined
}

function memoryMap(): string {
  try {
    return readFileSync('/proc/self/maps', 'latin1')
  } catch {
    return ''
  }
}

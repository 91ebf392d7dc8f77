import { cpSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { SqliteUnavailable } from '../../src/store/refusals.ts'
import { loadBinary, runsOnMusl } from '../../src/store/sqlite/shipped-binary.ts'
import { aFolder } from '../support/folder.ts'

const linux = { platform: 'linux', arch: 'x64', musl: false }

test('a platform without a binary is told which ones have one', () => {
  const refused = () => loadBinary(aFolder(), { platform: 'freebsd', arch: 'riscv64', musl: false })
  expect(refused).toThrow(SqliteUnavailable)
  expect(refused).toThrow(/^This package has no SQLite for freebsd riscv64: .* Linux, macOS and Windows/)
})

test('Linux with musl has a binary of its own', () => {
  const folder = aFolder()
  cpSync('node_modules/better-sqlite3/prebuilds/linux-x64.node', join(folder, 'linux-x64.node'))
  expect(() => loadBinary(folder, { ...linux, musl: true })).toThrow('linux (musl) x64')
})

test('a binary that does not run here is told with the reason, in one line', () => {
  const folder = aFolder()
  const { platform, arch } = process
  writeFileSync(join(folder, `${platform}-${arch}.node`), 'no binary\nat all')
  const refused = () => loadBinary(folder, { platform, arch, musl: false })
  expect(refused).toThrow(SqliteUnavailable)
  expect(refused).toThrow(
    new RegExp(`^SQLite cannot be loaded on this system \\(${platform} ${arch}\\): .+$`),
  )
})

test.each([
  ['7f00 r-xp /lib/ld-musl-x86_64.so.1', true],
  ['7f00 r-xp /usr/lib/x86_64-linux-gnu/libc.so.6', false],
  ['7f00 r-xp /lib/ld-linux-aarch64.so.1', false],
])('a process with %s in its memory runs on musl: %s', (map, musl) => {
  expect(runsOnMusl(map)).toBe(musl)
})

import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { aFolder } from '../support/folder.ts'

const ownFolder = (temporary: string) => join(temporary, `payment-order-emulator-${process.getuid?.()}`)

/** Runs the built program once, with a folder for temporary files. */
function version(temporary: string, env: NodeJS.ProcessEnv = {}): string {
  const { NODE_COMPILE_CACHE: _, NODE_DISABLE_COMPILE_CACHE: __, ...others } = process.env
  return execFileSync(process.execPath, ['dist/cli.js', '--version'], {
    env: { ...others, TMPDIR: temporary, ...env },
    encoding: 'utf8',
  })
}

const kept = (folder: string) => readdirSync(folder, { recursive: true })

test('what a start has compiled is kept in a folder that only its user may read', () => {
  const temporary = aFolder()
  version(temporary)
  expect(statSync(ownFolder(temporary)).mode & 0o077).toBe(0)
  expect(kept(ownFolder(temporary)).length).toBeGreaterThan(2)
})

test('nothing is kept where somebody else could write', () => {
  const temporary = aFolder()
  mkdirSync(ownFolder(temporary))
  chmodSync(ownFolder(temporary), 0o777)
  expect(version(temporary)).toMatch(/^\d+\.\d+\.\d+\n$/)
  expect(kept(ownFolder(temporary))).toEqual([])
})

test('a folder that cannot be made loses nothing but time', () => {
  const temporary = join(aFolder(), 'file')
  writeFileSync(temporary, '')
  expect(version(temporary)).toMatch(/^\d+\.\d+\.\d+\n$/)
})

test('nothing is kept for a user who wants no cache of Node’s, and all of it where he wants it', () => {
  const [temporary, chosen] = [aFolder(), aFolder()]
  version(temporary, { NODE_DISABLE_COMPILE_CACHE: '1' })
  expect(kept(ownFolder(temporary))).toEqual([])
  version(temporary, { NODE_COMPILE_CACHE: chosen })
  expect(kept(chosen).length).toBeGreaterThan(2)
  expect(kept(ownFolder(temporary))).toEqual([])
})

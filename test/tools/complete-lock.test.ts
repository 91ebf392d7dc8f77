import { globSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { missingEntries, uncompiled, unverified, verified } from '../../tools/complete-lock.mjs'

const lockFiles = globSync('{.,bench/**,docs/**,examples/**,test/**}/package-lock.json', {
  exclude: (path) => path.split('/').includes('node_modules'),
})

test('the lock file has every platform’s packages, so that `npm ci` takes it anywhere', () => {
  const lock = JSON.parse(readFileSync('package-lock.json', 'utf8'))
  expect(missingEntries(lock.packages)).toEqual({})
})

test('the lock file says what brings binaries, so that `npm ci` compiles nothing', () => {
  const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8'))
  const found = uncompiled(packages, '.')
  expect(Object.keys(found)).toContain('node_modules/better-sqlite3')
  expect(packages).toMatchObject(found)
})

test('a platform package that the lock lacks is told with the platform it is for', () => {
  const optionalDependencies = {
    '@x/cli-linux-arm64-musl': '1.0.0',
    '@x/cli-darwin-x64': '1.0.0',
    '@x/here': '1.0.0',
  }
  expect(missingEntries({ 'node_modules/x': { optionalDependencies }, 'node_modules/@x/here': {} })).toEqual({
    'node_modules/@x/cli-linux-arm64-musl': {
      version: '1.0.0',
      cpu: ['arm64'],
      dev: true,
      libc: ['musl'],
      optional: true,
      os: ['linux'],
    },
    'node_modules/@x/cli-darwin-x64': {
      version: '1.0.0',
      cpu: ['x64'],
      dev: true,
      optional: true,
      os: ['darwin'],
    },
  })
})

describe('hashes', () => {
  test('are in every lock file, so that `npm ci` installs nothing unverified', () => {
    expect(lockFiles).toContain('package-lock.json')
    expect(lockFiles.length).toBeGreaterThan(5)
    const without = lockFiles.flatMap((file) =>
      Object.keys(unverified(packagesOf(file))).map((path) => `${file}: ${path}`),
    )
    expect(without).toEqual([])
  })

  test('come without the address of a registry, so that `npm ci` asks the configured one', () => {
    const texts = lockFiles.map((file) => readFileSync(file, 'utf8'))
    expect(texts.filter((text) => /"resolved": "(?!file:)/.test(text))).toEqual([])
  })

  test('are missing only from what npm installs from a registry', () => {
    const unhashed = {
      '': { version: '1.0.0' },
      folder: { version: '1.0.0' },
      'node_modules/folder': { resolved: 'folder', link: true },
      'node_modules/ours': { version: '1.0.0', resolved: 'file:../ours.tgz' },
      'node_modules/a/node_modules/inside': { version: '1.0.0', inBundle: true },
      'node_modules/b': { version: '1.0.0', integrity: 'sha512-b' },
    }
    expect(unverified(unhashed)).toEqual({})
    const hashed = {
      'node_modules/a': { version: '1.0.0', optional: true },
      'node_modules/a/node_modules/@x/b': { version: '2.0.0', integrity: '' },
    }
    expect(unverified({ ...unhashed, ...hashed })).toEqual(hashed)
  })

  test('are looked up by name and version, an alias by the name of its package', async () => {
    const entries = {
      'node_modules/a/node_modules/@x/b': { version: '2.0.0' },
      'node_modules/alias': { name: 'real', version: '3.0.0' },
    }
    expect(await verified(entries, async (wanted) => `sha512-${wanted}`)).toEqual({
      'node_modules/a/node_modules/@x/b': { version: '2.0.0', integrity: 'sha512-@x/b@2.0.0' },
      'node_modules/alias': { name: 'real', version: '3.0.0', integrity: 'sha512-real@3.0.0' },
    })
  })

  test('that the registry does not have, or only weak ones of, are an error that names each package', async () => {
    const entries = { 'node_modules/none': { version: '1.0.0' }, 'node_modules/weak': { version: '2.0.0' } }
    const looked = verified(entries, async (wanted) => (wanted.startsWith('weak') ? 'sha1-x' : ''))
    await expect(looked).rejects.toThrow(/none@1\.0\.0: .*\n.*weak@2\.0\.0: .*sha1-x/)
  })
})

const packagesOf = (file: string) => JSON.parse(readFileSync(file, 'utf8')).packages

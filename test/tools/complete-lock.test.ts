import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { missingEntries, uncompiled } from '../../tools/complete-lock.mjs'

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

import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { distIsCurrent, listSources } from '../../tools/launch/build-stamp.mjs'
import { publish } from '../../tools/launch/publish.mjs'
import { aFolder } from '../support/folder.ts'

const root = () => {
  const folder = aFolder()
  mkdirSync(join(folder, 'src'))
  writeFileSync(join(folder, 'src', 'a.ts'), '')
  return folder
}

/** Publishes a build of empty files; names may lie in a folder. */
function build(folder: string, names: readonly string[], { forPackage = false } = {}): void {
  const stage = join(folder, 'stage')
  for (const name of names) {
    mkdirSync(join(stage, name, '..'), { recursive: true })
    writeFileSync(join(stage, name), '')
  }
  publish(stage, join(folder, 'dist'), { sources: listSources(folder), forPackage })
}

const published = (folder: string) => readdirSync(join(folder, 'dist')).sort()

test('a later build keeps the chunks that a running program may still load', () => {
  const folder = root()
  build(folder, ['cli.js', 'chunk-AAAAAAAA.js'])
  build(folder, ['cli.js', 'chunk-BBBBBBBB.js'])
  expect(published(folder)).toEqual(['.build-stamp', 'chunk-AAAAAAAA.js', 'chunk-BBBBBBBB.js', 'cli.js'])
})

test('a build for the package keeps those chunks too, but has npm leave them out', () => {
  const folder = root()
  build(folder, ['cli.js', 'chunk-AAAAAAAA.js', 'chunk-AAAAAAAA.js.map', 'chunk-BBBBBBBB.js'])
  build(folder, ['cli.js', 'chunk-BBBBBBBB.js', 'chunk-CCCCCCCC.js'], { forPackage: true })
  expect(published(folder)).toContain('chunk-AAAAAAAA.js')
  const unpacked = readFileSync(join(folder, 'dist', '.npmignore'), 'utf8')
  expect(unpacked).toBe('/chunk-AAAAAAAA.js\n/chunk-AAAAAAAA.js.map\n')
})

test('binaries give way to newer ones', () => {
  const folder = root()
  build(folder, ['cli.js', 'prebuilds/old.node'], { forPackage: true })
  build(folder, ['cli.js', 'prebuilds/new.node'], { forPackage: true })
  expect(readdirSync(join(folder, 'dist', 'prebuilds'))).toEqual(['new.node'])
})

test('a checkout does not start what was built for the package, and drops what only that needs', () => {
  const folder = root()
  build(folder, ['cli.js', 'index.cjs', 'chunk-AAAAAAAA.js', 'prebuilds/a.node'], { forPackage: true })
  expect(distIsCurrent(folder)).toBe(false)
  build(folder, ['cli.js', 'chunk-BBBBBBBB.js'])
  expect(distIsCurrent(folder)).toBe(true)
  expect(published(folder)).toEqual(['.build-stamp', 'chunk-AAAAAAAA.js', 'chunk-BBBBBBBB.js', 'cli.js'])
})

import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The package's folder: the nearest one above this file, or above the bundle it became, with a package.json. */
const root = (() => {
  const file = fileURLToPath(import.meta.url)
  let folder = dirname(file)
  while (!existsSync(join(folder, 'package.json'))) {
    if (folder === dirname(folder)) throw new Error(`There is no package.json in any folder above ${file}`)
    folder = dirname(folder)
  }
  return folder
})()

/** Where the scenarios that ship lie. */
export const scenariosFolder = join(root, 'scenarios')

/** Where the fixtures that ship lie. */
export const fixturesFolder = join(root, 'fixtures')

const manifest: { version: string } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))

/** The emulator's version. */
export const { version } = manifest

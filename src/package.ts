import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The package's folder: the nearest one above this file, or above the bundle it became, with a package.json. */
const root = (() => {
  let folder = dirname(fileURLToPath(import.meta.url))
  while (!existsSync(join(folder, 'package.json'))) folder = dirname(folder)
  return folder
})()

/** Where the scenarios that ship lie. */
export const scenariosFolder = join(root, 'scenarios')

/** Where the fixtures that ship lie. */
export const fixturesFolder = join(root, 'fixtures')

const manifest: { version: string } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))

/** The emulator's version. */
export const { version } = manifest

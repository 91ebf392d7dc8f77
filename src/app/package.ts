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

/** How people call a program that lies there, for commands to copy. `npm start` is for a checkout alone: in a project
 *  that has the package it starts something else. @param folder of the package */
export function programCallIn(folder: string): string {
  if (/[\\/]node_modules[\\/]/.test(folder)) return 'npx payment-order-emulator'
  return existsSync(join(folder, 'tools', 'launch.mjs')) ? 'npm start --' : 'payment-order-emulator'
}

/** How people call this program. */
export const ownProgramCall = programCallIn(root)

/** Where the scenarios that ship lie. */
export const scenariosFolder = join(root, 'scenarios')

/** Where the fixtures that ship lie. */
export const fixturesFolder = join(root, 'fixtures')

const manifest: { version: string } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))

/** The emulator's version. */
export const { version } = manifest

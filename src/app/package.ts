import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The folder of the package: the nearest folder with a package.json above this file or its bundle. */
const root = (() => {
  const file = fileURLToPath(import.meta.url)
  let folder = dirname(file)
  while (!existsSync(join(folder, 'package.json'))) {
    if (folder === dirname(folder)) throw new Error(`There is no package.json in any folder above ${file}`)
    folder = dirname(folder)
  }
  return folder
})()

/** The command that calls a program in this folder, for people to copy. `npm start` works in a checkout only: in a
 *  project with the package it starts another program.
 *  @param folder of the package */
export function programCallIn(folder: string): string {
  if (/[\\/]node_modules[\\/]/.test(folder)) return 'npx payment-order-emulator'
  return existsSync(join(folder, 'tools', 'launch.mjs')) ? 'npm start --' : 'payment-order-emulator'
}

export const ownProgramCall = programCallIn(root)

export const scenariosFolder = join(root, 'scenarios')

export const fixturesFolder = join(root, 'fixtures')

const manifest: { version: string } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))

export const { version } = manifest

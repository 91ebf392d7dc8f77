import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'

const packageFile = z.object({
  version: z.string(),
  bin: z.union([z.string(), z.record(z.string(), z.string())]),
})

/** A file of an installed peer. */
export const fileOf = (name: string, path: string): string =>
  fileURLToPath(new URL(`node_modules/${name}/${path}`, import.meta.url))

/** The version of an installed peer. */
export const versionOf = (name: string): string => read(name).version

/** The words that start the command of an installed peer with this Node. */
export function commandOf(name: string): string[] {
  const { bin } = read(name)
  const path = typeof bin === 'string' ? bin : Object.values(bin)[0]
  if (path === undefined) throw new Error(`${name} has no command`)
  return [process.execPath, fileOf(name, path)]
}

const read = (name: string) =>
  packageFile.parse(JSON.parse(readFileSync(fileOf(name, 'package.json'), 'utf8')))

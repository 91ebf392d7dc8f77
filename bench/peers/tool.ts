import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'
import type { Bench } from '../frame/bench.ts'
import type { Server } from '../frame/processes.ts'
import type { RequestShape } from '../load/requests.ts'
import type { Materials } from './materials.ts'

/** A tool that a team might use in the emulator's place, with its nearest equal work. */
export interface Tool {
  readonly goal: `create beside ${'Prism' | 'Mockoon, CRUD' | 'mountebank' | 'json-server'}`
  readonly package: string
  readonly create: RequestShape
  /** Starts it with fresh files.
   *  @param folder for its files, empty */
  start(bench: Bench, folder: string, materials: Materials): Promise<Server>
}

const packageFile = z.object({
  version: z.string(),
  bin: z.union([z.string(), z.record(z.string(), z.string())]),
})

const fileOf = (name: string, path: string): string =>
  fileURLToPath(new URL(`node_modules/${name}/${path}`, import.meta.url))
const packageOf = (name: string) =>
  packageFile.parse(JSON.parse(readFileSync(fileOf(name, 'package.json'), 'utf8')))

export const versionOf = (name: string): string => packageOf(name).version

/** The words that start the command of an installed tool with this Node. */
export function commandOf(name: string): string[] {
  const { bin } = packageOf(name)
  const path = typeof bin === 'string' ? bin : Object.values(bin)[0]
  if (path === undefined) throw new Error(`${name} has no command`)
  return [process.execPath, fileOf(name, path)]
}

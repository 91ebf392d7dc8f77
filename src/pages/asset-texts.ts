import { readdir, readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'

/** The files that pages load, by name. `tools/build.mjs` replaces this module by their texts, so that a running
 *  program never mixes two builds. */
export async function assetTexts(): Promise<Readonly<Record<string, string>>> {
  const folder = join(import.meta.dirname, 'assets')
  const names = await readdir(folder)
  const own = names.map(async (name) => [name, await readFile(join(folder, name), 'utf8')] as const)
  const htmx = createRequire(import.meta.url).resolve('htmx.org/dist/htmx.esm.min.js')
  return { ...Object.fromEntries(await Promise.all(own)), 'htmx.js': await readFile(htmx, 'utf8') }
}

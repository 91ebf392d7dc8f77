import { readdir, readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { basename, extname, join } from 'node:path'

/** The files that pages load, by name. The build replaces this module by their texts, so that a running
 *  program never mixes two builds. */
export async function assetTexts(): Promise<Readonly<Record<string, string>>> {
  const folder = join(import.meta.dirname, 'assets')
  const files = (await readdir(folder, { recursive: true })).filter((file) => extname(file) !== '')
  const own = files.map(async (file) => [basename(file), await readFile(join(folder, file), 'utf8')] as const)
  const htmx = createRequire(import.meta.url).resolve('htmx.org/dist/htmx.esm.min.js')
  return { ...Object.fromEntries(await Promise.all(own)), 'htmx.js': await readFile(htmx, 'utf8') }
}

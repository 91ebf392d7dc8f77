import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

/** The files that an import of one loads, itself among them. */
function loadedBy(name: string, found = new Set<string>()): Set<string> {
  if (found.has(name)) return found
  found.add(name)
  const text = readFileSync(join('dist', name), 'utf8')
  for (const [, path = ''] of text.matchAll(/^(?:import|export)\b[^'"]*?(?:from )?['"]\.\/([^'"]+)['"]/gm))
    loadedBy(path, found)
  return found
}

test.each(['index.js', 'conform.js'])('an import of %s loads no schemas and no engine', (entry) => {
  const texts = [...loadedBy(entry)].map((name) => readFileSync(join('dist', name), 'utf8'))
  const all = texts.join('')
  expect(all).toContain('// src/testing/start-emulator.ts')
  expect(all).not.toContain('// node_modules/zod/')
  expect(all).not.toContain('// src/app/emulator.ts')
})

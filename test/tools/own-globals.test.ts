import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { runInNewContext } from 'node:vm'
import { transform } from 'esbuild'
import { expect, test } from 'vitest'

/** What Node has beyond the language, and those of the language that vitest replaces for jsdom. */
const replaceable = () => {
  const ofLanguage: string[] = runInNewContext('Object.getOwnPropertyNames(globalThis)')
  const ofNode = Object.getOwnPropertyNames(globalThis).filter((name) => /^[a-z]\w+$/i.test(name))
  return [...ofNode.filter((name) => !ofLanguage.includes(name)), 'ArrayBuffer', 'Uint8Array']
}

/** What is in a bundle, but never reached, or only asked for whether it is there. */
const harmless = ['CryptoKey', 'MessageEvent', 'global', 'navigator']

const files = () => {
  const parts = readFileSync('dist/program.cjs', 'utf8').match(/bundle-[0-9A-Z]{8}\.cjs/g) ?? []
  return ['library.js', 'conformance.js', ...new Set(parts)].map((name) => join('dist', name))
}

test('the library and its engine take no class and no function from globals, which tests replace', async () => {
  const define = Object.fromEntries(replaceable().map((name) => [name, `free_${name}`]))
  expect(files().length).toBeGreaterThan(4)
  for (const file of files()) {
    // esbuild replaces only what the file itself has not declared.
    const { code } = await transform(readFileSync(file, 'utf8'), { define, logLevel: 'silent' })
    const taken = new Set(Array.from(code.matchAll(/\bfree_(\w+)/g), ([, name]) => name))
    expect(
      [...taken].filter((name) => !harmless.includes(name ?? '')),
      file,
    ).toEqual([])
  }
})

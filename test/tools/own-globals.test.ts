import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { runInNewContext } from 'node:vm'
import { transform } from 'esbuild'
import { expect, test } from 'vitest'

/** Node's globals beyond the language, and those of the language that vitest replaces for jsdom. */
const replaceable = () => {
  const ofLanguage: string[] = runInNewContext('Object.getOwnPropertyNames(globalThis)')
  const ofNode = Object.getOwnPropertyNames(globalThis).filter((name) => /^[a-z]\w+$/i.test(name))
  return [...ofNode.filter((name) => !ofLanguage.includes(name)), 'ArrayBuffer', 'Uint8Array']
}

/** Globals in a bundle that are never used, or only tested for existence. */
const harmless = ['CryptoKey', 'MessageEvent', 'global', 'navigator']

/** Runs the latest build, without the lines that begin the program, in its own process. */
const files = (): string[] => {
  const { files }: { files: string[] } = JSON.parse(readFileSync('dist/.build-stamp', 'utf8'))
  return files.filter((name) => name.endsWith('.js') && name !== 'cli.js').map((name) => join('dist', name))
}

test('the library and its engine take no class and no function from globals, which tests replace', async () => {
  const define = Object.fromEntries(replaceable().map((name) => [name, `free_${name}`]))
  expect(files().length).toBeGreaterThan(20)
  for (const file of files()) {
    // esbuild replaces only what the file itself has not declared.
    const { code } = await transform(readFileSync(file, 'utf8'), { define, logLevel: 'silent' })
    // jose can fetch keys, and is given them.
    const unreached = file.includes('webapi-') ? [...harmless, 'fetch'] : harmless
    const taken = new Set(Array.from(code.matchAll(/\bfree_(\w+)/g), ([, name]) => name))
    expect(
      [...taken].filter((name) => !unreached.includes(name ?? '')),
      file,
    ).toEqual([])
  }
})

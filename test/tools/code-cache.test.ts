import { chmodSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { beforeEach, expect, test, vi } from 'vitest'
import { aFolder } from '../support/folder.ts'

interface Compiled {
  readonly script: { runInThisContext(): () => number }
  readonly keep: (() => void) | null
}

const { compiled }: { compiled(source: string, file: string, use: string): Compiled } = createRequire(
  import.meta.url,
)('../../tools/entry/code-cache.cjs')

const compile = (source = '() => 1') => compiled(source, '/anywhere/bundle-AAAAAAAA.cjs', 'cli')

let folder: string

/** The one file in the cache. */
const kept = () => join(folder, readdirSync(folder)[0] ?? '')

beforeEach(() => {
  folder = aFolder()
  vi.stubEnv('NODE_COMPILE_CACHE', folder)
  vi.stubEnv('NODE_DISABLE_COMPILE_CACHE', undefined)
})

test('what one process has kept serves the next, which has nothing to keep', () => {
  compile().keep?.()
  const { script, keep } = compile()
  expect([script.runInThisContext()(), keep]).toEqual([1, null])
})

test.each([
  [
    'is damaged',
    () =>
      writeFileSync(
        kept(),
        readFileSync(kept()).map((byte, at) => (at === 100 ? byte ^ 1 : byte)),
      ),
  ],
  ['is cut off', () => writeFileSync(kept(), readFileSync(kept()).subarray(0, 3))],
  ['others may write', () => chmodSync(kept(), 0o666)],
])('a file of the cache that %s counts for nothing, and is replaced', (_, spoil) => {
  compile().keep?.()
  spoil()
  const { script, keep } = compile()
  expect([script.runInThisContext()(), keep]).toEqual([1, expect.any(Function)])
  keep?.()
  expect(compile().keep).toBe(null)
})

test('what was compiled of another text is not taken', () => {
  compile('() => 1').keep?.()
  const { script, keep } = compile('() => 1 + 1')
  expect([script.runInThisContext()(), keep]).toEqual([2, expect.any(Function)])
})

test('what V8 would refuse, because its flags have changed meanwhile, is not kept', () => {
  const { keep } = compile()
  setFlagsFromString('--heap-growing-percent=51')
  keep?.()
  setFlagsFromString('--heap-growing-percent=0')
  expect(readdirSync(folder)).toEqual([])
})

test.each([
  ['in its environment', '--max-lazy', []],
  ['on its command line', '', ['--max-lazy']],
])('a process with flags %s has a cache of its own', (_, options, args) => {
  const given = vi.spyOn(process, 'execArgv', 'get').mockReturnValue(args)
  vi.stubEnv('NODE_OPTIONS', options)
  const withFlags = compile()
  withFlags.keep?.()
  vi.stubEnv('NODE_OPTIONS', '')
  given.mockReturnValue([])
  const plain = compile()
  plain.keep?.()
  expect(readdirSync(folder).filter((name) => name.endsWith('-plain'))).toHaveLength(1)
  expect(readdirSync(folder)).toHaveLength(2)
})

test('a folder that cannot be written loses nothing but time', () => {
  writeFileSync(join(folder, 'file'), '')
  vi.stubEnv('NODE_COMPILE_CACHE', join(folder, 'file', 'inside'))
  const { script, keep } = compile()
  keep?.()
  expect(script.runInThisContext()()).toBe(1)
})

test('whoever wants no cache of Node’s gets none of ours', () => {
  vi.stubEnv('NODE_DISABLE_COMPILE_CACHE', '1')
  expect(compile().keep).toBe(null)
  expect(readdirSync(folder)).toEqual([])
})

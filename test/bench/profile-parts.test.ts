import { expect, test } from 'vitest'
import { type CpuProfile, selfTimes } from '../../bench/profile-parts.ts'

const bundle = [
  '// node_modules/zod/v4/core.js',
  'a',
  '// src/api/call.ts',
  'b',
  'c',
  '// src/store/sqlite/writer.ts',
  'd',
]

/** A profile that has met each of some functions for so many microseconds. */
function aProfile(met: readonly { name?: string; url?: string; line?: number; us: number }[]): CpuProfile {
  return {
    nodes: met.map(({ name = '', url = '', line = 0 }, id) => ({
      ...{ id, callFrame: { functionName: name, url, lineNumber: line } },
    })),
    samples: met.map((_, id) => id),
    timeDeltas: met.map(({ us }) => us),
  }
}

const told = (profile: CpuProfile) => Object.fromEntries(selfTimes(profile, () => bundle.join('\n')))

test('what a bundle is made of is told apart by its files', () => {
  const at = (line: number, us: number) => ({ url: 'file:///dist/bundle.cjs', line, us })
  expect(told(aProfile([at(1, 5), at(3, 7), at(4, 2), at(6, 1)]))).toEqual({
    zod: 5,
    'src/api': 9,
    'src/store/sqlite/writer.ts': 1,
  })
})

test('Node is told apart by its parts, V8 by its functions, and waiting is no work', () => {
  expect(
    told(
      aProfile([
        { url: 'node:_http_server', us: 1 },
        { url: 'node:internal/streams/writable', us: 2 },
        { name: '(garbage collector)', us: 4 },
        { name: '(idle)', us: 100 },
      ]),
    ),
  ).toEqual({ 'node: http': 1, 'node: streams': 2, '(garbage collector)': 4 })
})

test('what stands above the first file of a bundle is the bundle’s', () => {
  const above = bundle.with(0, '"use strict"').join('\n')
  const profile = aProfile([{ url: 'file:///dist/bundle.cjs', line: 0, us: 3 }])
  expect(Object.fromEntries(selfTimes(profile, () => above))).toEqual({ '/dist/bundle.cjs': 3 })
})

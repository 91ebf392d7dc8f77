import { expect, test } from 'vitest'
import { type CpuProfile, selfTimes } from '../../bench/profile-parts.ts'

/** One line in which a file begins every five characters, after ten that are of none. */
const map = {
  version: 3,
  file: 'bundle.cjs',
  sourceRoot: '',
  names: [],
  sources: ['../node_modules/zod/v4/core.js', '../src/api/call.ts', '../src/store/sqlite/writer.ts'],
  sourcesContent: [],
  // What lies between two of them in the bundle, file, line and column, in VLQ: 10, then 5 (+1 file) and 5 (+1 file).
  mappings: 'UAAA,KCAA,KCAA',
}

/** A profile that has met each of some functions for so many microseconds. */
function aProfile(met: readonly { name?: string; url?: string; column?: number; us: number }[]): CpuProfile {
  return {
    nodes: met.map(({ name = '', url = '', column = 0 }, id) => ({
      ...{ id, callFrame: { functionName: name, url, lineNumber: 0, columnNumber: column } },
    })),
    samples: met.map((_, id) => id),
    timeDeltas: met.map(({ us }) => us),
  }
}

const told = (profile: CpuProfile) => Object.fromEntries(selfTimes(profile, () => map))

test('what a bundle is made of is told apart by its files', () => {
  const at = (column: number, us: number) => ({ url: 'file:///dist/bundle.cjs', column, us })
  expect(told(aProfile([at(10, 5), at(15, 7), at(19, 2), at(22, 1)]))).toEqual({
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

test('what stands before the first file of a bundle is the bundle’s, and what has no map stands for itself', () => {
  const profile = aProfile([{ url: 'file:///dist/bundle.cjs', us: 3 }])
  expect(told(profile)).toEqual({ '/dist/bundle.cjs': 3 })
  const unmapped = aProfile([{ url: 'file:///else/index.js', us: 3 }])
  expect(Object.fromEntries(selfTimes(unmapped, () => null))).toEqual({ '/else/index.js': 3 })
})

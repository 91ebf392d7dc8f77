import { expect, test } from 'vitest'
import { divided } from '../../tools/build/two-files.mjs'

type Edge = readonly [path: string, kind?: 'import-statement' | 'dynamic-import' | 'require-call']

/** What esbuild tells of modules and what each of them imports. */
const modules = (imports: Readonly<Record<string, readonly Edge[]>>) => ({
  inputs: Object.fromEntries(
    Object.entries(imports).map(([path, edges]) => [
      path,
      { imports: edges.map(([other, kind = 'import-statement']) => ({ path: other, kind })) },
    ]),
  ),
})

const parts = (imports: Readonly<Record<string, readonly Edge[]>>) => {
  const { start, late, shared } = divided(modules(imports), ['main.ts'])
  return { start: [...start].sort(), late: [...late].sort(), shared: [...shared].sort() }
}

test('what is imported when first asked for goes into the second file, with all that nobody else needs', () => {
  const imports = {
    'main.ts': [['both.ts'], ['pages.ts', 'dynamic-import']],
    'both.ts': [],
    'pages.ts': [['both.ts'], ['page.ts']],
    'page.ts': [],
  } satisfies Record<string, readonly Edge[]>
  expect(parts(imports)).toEqual({
    start: ['both.ts', 'main.ts'],
    late: ['pages.ts'],
    shared: ['both.ts'],
  })
})

test('what a start needs as well stays in the first file, however it is imported elsewhere', () => {
  const imports = {
    'main.ts': [['pages.ts', 'dynamic-import'], ['other.ts']],
    'other.ts': [['pages.ts']],
    'pages.ts': [],
  } satisfies Record<string, readonly Edge[]>
  expect(parts(imports)).toEqual({ start: ['main.ts', 'other.ts', 'pages.ts'], late: [], shared: [] })
})

test('readers are in the second file, and their stand-ins in each', () => {
  const imports = {
    'main.ts': [['late-module:/reader.ts']],
    'late-module:/reader.ts': [['reader.ts', 'require-call']],
    'reader.ts': [['main.ts'], ['late-module:/reader.ts']],
  } satisfies Record<string, readonly Edge[]>
  expect(parts(imports)).toEqual({
    start: ['late-module:/reader.ts', 'main.ts'],
    late: ['reader.ts'],
    shared: ['main.ts'],
  })
})

test('zod is in the second file, and its own modules are with it', () => {
  const imports = {
    'main.ts': [['node_modules/zod/index.js']],
    'node_modules/zod/index.js': [['node_modules/zod/core.js']],
    'node_modules/zod/core.js': [],
  } satisfies Record<string, readonly Edge[]>
  expect(parts(imports)).toEqual({ start: ['main.ts'], late: ['node_modules/zod/index.js'], shared: [] })
})

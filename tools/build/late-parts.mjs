import { resolve as absolute, join } from 'node:path'

/**
 * Has the library load its late parts from the files beside it.
 * @param {Record<string, string>} parts their sources in the checkout, by the names of the files without `.js`
 */
export function partsBeside(root, parts) {
  return whereLate(root, parts, (name) => ({ path: `./${name}.js`, external: true }))
}

/**
 * The same for CommonJS, past any sandbox. Jest runs each test file in one that knows no import(), swaps timers, and
 * evaluates every file anew. Outside, the engine is loaded once per process, and nothing that tests do to their globals
 * touches it.
 */
export function partsOutside(root, parts) {
  const { name, setup } = whereLate(root, parts, (part) => ({ path: part, namespace: 'outside' }))
  return {
    name,
    setup(build) {
      setup(build)
      build.onLoad({ filter: /./, namespace: 'outside' }, ({ path }) => ({ contents: loadedOutside(path) }))
    },
  }
}

/** `node:vm` is Node's own in every sandbox, and runs code where the process began: there, `process` and all it leads to
 *  are Node's own too. */
const loadedOutside = (part) => `
  const { runInThisContext } = require('node:vm')
  const { createRequire } = runInThisContext('process').getBuiltinModule('node:module')
  module.exports = createRequire(__filename)('./${part}.js')`

/** @param {(part: string) => import('esbuild').OnResolveResult} place where a part is to be found */
function whereLate(root, parts, place) {
  const partOf = new Map(Object.entries(parts).map(([name, path]) => [join(root, path), name]))
  return {
    name: 'late-parts',
    setup({ onResolve }) {
      onResolve({ filter: /./ }, ({ path, kind, importer, resolveDir }) => {
        if (kind !== 'dynamic-import') return null
        const part = partOf.get(absolute(resolveDir, path))
        if (part === undefined)
          throw new Error(`${path}, which ${importer} loads late, is no part of its own`)
        return place(part)
      })
    },
  }
}

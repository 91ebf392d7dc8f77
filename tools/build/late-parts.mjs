import { resolve as absolute, join } from 'node:path'

/**
 * Has the library load its late parts out of the program beside it.
 * @param {Record<string, string>} parts their sources in the checkout, by their names in the program
 */
export const partsBeside = (root, parts) => partsOf(root, parts, loadedBeside)

/**
 * The same for CommonJS, past any sandbox. Jest runs each test file in one that knows no import(), swaps timers, and
 * evaluates every file anew. Outside, the engine is loaded once per process, and nothing that tests do to their globals
 * touches it.
 */
export const partsOutside = (root, parts) => partsOf(root, parts, loadedOutside)

/** Code that loads a part out of the program beside it. */
export const loadedBeside = (part) => `require('./program.cjs').load('${part}', { keeps: true })`

/** The same past a sandbox. `node:vm` is Node's own in every one, and runs code where the process began: there, `process` and
 *  all it leads to are Node's own too. */
export const loadedOutside = (part) =>
  `require('node:vm').runInThisContext('process').getBuiltinModule('node:module').createRequire(__filename)('./program.cjs')
    .load('${part}', { keeps: true })`

/** @param {(part: string) => string} loading the code that a part is replaced by */
function partsOf(root, parts, loading) {
  const partAt = new Map(Object.entries(parts).map(([name, path]) => [join(root, path), name]))
  return {
    name: 'late-parts',
    setup({ onLoad, onResolve }) {
      onResolve({ filter: /^\.\/program\.cjs$/ }, ({ path }) => ({ path, external: true }))
      onResolve({ filter: /./ }, ({ path, kind, importer, resolveDir }) => {
        if (kind !== 'dynamic-import') return null
        const part = partAt.get(absolute(resolveDir, path))
        if (part === undefined)
          throw new Error(`${path}, which ${importer} loads late, is no part of its own`)
        return { path: part, namespace: 'part' }
      })
      onLoad({ filter: /./, namespace: 'part' }, ({ path }) => ({
        contents: `module.exports = ${loading(path)}`,
      }))
    },
  }
}

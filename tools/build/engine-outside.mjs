import { basename, relative } from 'node:path'

/**
 * Has the library for CommonJS take what it loads late from the modules beside it, past any sandbox. Jest runs each test
 * file in one that knows no import(), swaps timers, and evaluates every file anew. Outside, the engine is loaded once
 * per process, and nothing that tests do to their globals touches it.
 * @param {import('esbuild').Metafile} modules what was built as ES modules
 */
export function engineOutside({ outputs }) {
  const chunkOf = new Map(
    Object.entries(outputs).map(([path, { entryPoint }]) => [entryPoint, basename(path)]),
  )
  return {
    name: 'engine-outside',
    setup({ initialOptions, onResolve, onLoad, resolve }) {
      onResolve({ filter: /./ }, async ({ path, kind, pluginData, ...from }) => {
        if (kind !== 'dynamic-import' || pluginData === 'resolved') return null
        const target = await resolve(path, { ...from, kind, pluginData: 'resolved' })
        const chunk = chunkOf.get(relative(initialOptions.absWorkingDir, target.path).replaceAll('\\', '/'))
        if (!chunk) throw new Error(`There is no module of its own for ${path} of ${from.importer}`)
        return { path: chunk, namespace: 'outside' }
      })
      onLoad({ filter: /./, namespace: 'outside' }, ({ path }) => ({ contents: loadedOutside(path) }))
    },
  }
}

/** `node:vm` is Node's own in every sandbox, and runs code where the process began: there, `process` and all it leads to
 *  are Node's own too. */
const loadedOutside = (chunk) => `
  const { runInThisContext } = require('node:vm')
  const { createRequire } = runInThisContext('process').getBuiltinModule('node:module')
  module.exports = createRequire(__filename)('./${chunk}')`

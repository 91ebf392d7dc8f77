import { basename, relative } from 'node:path'

/**
 * Has the library for CommonJS take what it loads late from the modules beside it. Jest runs each test file in a sandbox
 * that knows no import(), swaps timers, and evaluates every file anew. So the engine is loaded by Node's own require(),
 * which a sandbox cannot replace: once per process, and untouched by what tests do to their globals.
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
      onLoad({ filter: /./, namespace: 'outside' }, ({ path }) => ({
        contents: `
          const { createRequire } = process.getBuiltinModule('node:module')
          module.exports = createRequire(__filename)('./${path}')`,
      }))
    },
  }
}

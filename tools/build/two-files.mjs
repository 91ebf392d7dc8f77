import { resolve as absolute, relative, sep } from 'node:path'

/** What is loaded late in the sources, and yet needed by most starts. */
const atStart = [
  'src/api/operations/handlers.ts',
  'src/cli/exec/exec.ts',
  'src/cli/log/json-lines.ts',
  'src/cli/log/json-log.ts',
  'src/cli/log/pretty-log.ts',
  'src/cli/serve/serve.ts',
  'src/cli/serve/start-facts.ts',
  'src/cli/serve/start.ts',
  // It would take all of drizzle from the first file.
  'src/store/sqlite/snapshot/verbs.ts',
]

/**
 * Divides the program's modules: half of what it consists of no start needs, and to read that and its compiled code takes
 * a tenth of a start.
 * @param {import('esbuild').Metafile} metafile of all of them in one file
 * @param {string[]} entries what a start begins with
 * @returns {{ start: Set<string>, late: Set<string>, shared: Set<string> }} paths in the checkout: all modules of a start,
 *   those of the rest that are asked for from outside of it, and those of a start that the rest takes from there
 */
export function divided({ inputs }, entries) {
  const start = new Set()
  const late = new Set()
  const shared = new Set()
  const take = (path) => {
    if (start.has(path)) return
    start.add(path)
    for (const other of importsOf(path)) if (!isLate(path, other)) take(other.path)
  }
  const importsOf = (path) => inputs[path].imports.filter(({ external }) => !external)
  for (const entry of entries) take(entry)
  for (const path of Object.keys(inputs)) {
    for (const other of importsOf(path)) {
      if (isLate(path, other) && !start.has(other.path)) late.add(other.path)
      if (!start.has(path) && start.has(other.path) && isFile(other.path)) shared.add(other.path)
    }
  }
  return { start, late, shared }
}

const isLate = (importer, { path, kind }) =>
  !atStart.includes(path) &&
  (kind === 'dynamic-import' || importer.startsWith('late-module:') || (isZod(path) && !isZod(importer)))

/** What makes schemas is evaluated late, so zod is too. */
const isZod = (path) => /\bnode_modules\/zod\//.test(path)

/** Whether an input of esbuild is a file. What plugins make up has a namespace, and may well be in both of ours. */
export const isFile = (path) => !/^[\w-]{2,}:/.test(path)

/**
 * Has one of the two files take modules out of the other, by way of `program.cjs`.
 * @param {string} root of the checkout
 * @param {Set<string>} paths in the checkout
 */
export function fromOtherFile(root, paths) {
  const resolved = new Map()
  return {
    name: 'from-other-file',
    setup({ onLoad, onResolve, resolve }) {
      onResolve({ filter: /./ }, async ({ path, kind, importer, namespace, resolveDir, pluginData }) => {
        if (pluginData === asked || kind === 'entry-point' || namespace === 'other-file') return null
        if (path === './program.cjs') return null
        // What a plugin has put in the place of an import comes before us, and asks for the file itself.
        const file = /^[./]/.test(path)
          ? absolute(resolveDir, path)
          : await inPackages(path, { kind, importer, resolveDir })
        const name = file === undefined ? undefined : relative(root, file).replaceAll(sep, '/')
        return paths.has(name) ? { path: name, namespace: 'other-file' } : null
      })
      onResolve({ filter: /^\.\/program\.cjs$/, namespace: 'other-file' }, ({ path }) => ({
        path,
        external: true,
      }))
      onLoad({ filter: /./, namespace: 'other-file' }, ({ path }) => ({
        contents: `module.exports = require('./program.cjs').load(${JSON.stringify(path)})`,
      }))

      function inPackages(path, options) {
        if (!resolved.has(path))
          resolved.set(
            path,
            resolve(path, { ...options, pluginData: asked }).then(({ path }) => path),
          )
        return resolved.get(path)
      }
    },
  }
}

const asked = Symbol('asked')

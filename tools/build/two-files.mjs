import { readFileSync } from 'node:fs'
import { resolve as absolute, relative, sep } from 'node:path'

/** What is loaded late in the sources, and yet needed by most starts. */
export const atStart = [
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
 * @param {string[]} loadedLate what it needs although it is loaded late
 * @returns {{ start: Set<string>, late: Set<string>, shared: Set<string> }} paths in the checkout: all modules of a start,
 *   those of the rest that are asked for from outside of it, and those of a start that the rest takes from there
 */
export function divided({ inputs }, entries, loadedLate = atStart) {
  const start = new Set()
  const late = new Set()
  const shared = new Set()
  const take = (path) => {
    if (start.has(path)) return
    start.add(path)
    for (const other of importsOf(path)) if (!isLate(path, other)) take(other.path)
  }
  const isLate = (importer, { path, kind }) =>
    !loadedLate.includes(path) &&
    (kind === 'dynamic-import' || importer.startsWith('late-module:') || (isZod(path) && !isZod(importer)))
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

/**
 * @param {import('esbuild').Metafile[]} metafiles of both files
 * @param {string[]} inBoth what each may have of its own
 * @throws {Error} if a module is in both: what it keeps would be there twice
 */
export function refuseTwins([first, second], inBoth) {
  const twins = Object.keys(second.inputs).filter(
    (path) => isFile(path) && first.inputs[path] !== undefined && !inBoth.includes(path),
  )
  if (twins.length > 0) throw new Error(`in both files of the program: ${twins.join(', ')}`)
}

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
        if (!paths.has(name)) return null
        if (kind === 'import-statement' && takesDefault(readFileSync(importer, 'utf8'), path))
          return { errors: [{ text: `${path} is in the other file of the program: ${noDefault}` }] }
        // By its name's end esbuild tells what kind of module it is.
        return { path: `${name}.cjs`, namespace: 'other-file', pluginData: name }
      })
      onResolve({ filter: /^\.\/program\.cjs$/, namespace: 'other-file' }, ({ path }) => ({
        path,
        external: true,
      }))
      onLoad({ filter: /./, namespace: 'other-file' }, ({ pluginData: name }) => ({
        contents: `module.exports = require('./program.cjs').load(${JSON.stringify(name)})`,
      }))

      function inPackages(path, options) {
        // One package may be installed twice, and show another file to `require`.
        const key = [options.kind, options.resolveDir, path].join('\0')
        if (!resolved.has(key))
          resolved.set(
            key,
            resolve(path, { ...options, pluginData: asked }).then(({ path }) => path),
          )
        return resolved.get(key)
      }
    },
  }
}

const asked = Symbol('asked')

/** What comes from the other file is a CommonJS module to esbuild, whose default import is all of it. */
const noDefault = 'import what you need by its name, not its default export'

/** Whether a module's text imports the default export of another. */
function takesDefault(text, from) {
  const imports = text
    .replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*/g, '')
    .matchAll(/\b(?:im|ex)port\b(?!\s+type\b)((?:(?!\b(?:im|ex)port\b)[^'";])*?)\bfrom\s*(['"])([^'"]+)\2/g)
  return [...imports].some(
    ([, names, , module]) => module === from && /^\s*[\w$]+\s*(?:,|$)|\bdefault\b/.test(names),
  )
}
